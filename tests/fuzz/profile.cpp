// SPDX-License-Identifier: LGPL-2.1-or-later
// Any bytes as a profile: a keyfile, an ifcfg file, or a file of rdma.* words. It is understood, or refused in one
// line, and a value that is taken is one line, too.
#include "probe/plan/profile.hpp"
#include "core/base/text.hpp"
#include "probe/base/ifcfg.hpp"
#include "probe/rdma/facts.hpp"

#include <cstdlib>

using namespace nmib;

namespace
{
void demand(bool good)
{
    if (!good) std::abort();
}

void judge(const Result<Keyfile> &file)
{
    const auto profile = file.and_then([](auto &f) { return parse_profile(f, "x"); });
    if (!profile) return demand(!profile.error().what.empty() && profile.error().what.find('\n') == std::string::npos);
    const auto &intent = profile->intent;
    demand(!profile->infiniband || intent.mode.has_value());
    demand(!intent.mtu || *intent.mtu <= mtu::connected_maximum);
    demand(!intent.p_key || (*intent.p_key & 0x7fff) != 0);
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char *>(data), size);
    judge(Keyfile::parse(text, "x"));
    judge(parse_ifcfg(text, "ifcfg-x"));
    const auto read = parse_rdma_words(text);
    for (const auto &[name, value] : read.values) demand(printable(value) == value && find_rdma_word("rdma." + name));
    for (const auto &why : read.bad) demand(!why.text().empty() && why.text().find('\n') == std::string::npos);
    demand(parse_rdma_words(nmib::text(read.words)).words == read.words);
    return 0;
}
