// SPDX-License-Identifier: LGPL-2.1-or-later
// Any bytes as a .link file. Nothing crashes; what is read has the form it should, and a comment or what stands in a
// section that udev does not know changes no verdict.
#include "name_make.hpp"

#include <cstdlib>

using namespace nmib;

namespace
{
void require(bool holds)
{
    if (!holds) std::abort();
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char *>(data), size);
    static const auto ports = [] {
        auto bare = test::port("ib1", 2);
        bare.interface.reset();
        return std::vector{test::port(), test::port("mlx_a"), bare};
    }();
    const auto entries = parse_link_config(text);
    if (entries)
        for (const auto &e : *entries) {
            require(!e.section.empty() && !e.key.empty());
            require((e.section + e.key + e.value).find('\n') == std::string::npos);
        }
    const auto config = test::config("70-nm-infiniband-a.link", text);
    const auto beside = test::config("x.link", "# a comment\n[X-Other]\nType=ether\n" + text);
    for (const auto &port : ports) {
        const auto verdict = matches(config, port);
        require(config.entries.empty() ? verdict == Verdict::no : true);
        if (text.find('[') != text.npos && text.find('=') > text.find('[')) require(matches(beside, port) == verdict);
        (void)winner({&config, 1}, port);
    }
    if (const auto match = match_of(config)) {
        const LinkFile file{test::port_name("a"), *match};
        require(match_of(test::config(file)) == match);
    }
    require(!is_untouched(text) || is_ours(text));
    return 0;
}
