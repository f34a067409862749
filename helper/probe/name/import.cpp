// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/name/import.hpp"

#include "probe/base/layers.hpp"

namespace nmib
{

namespace
{
using Files = std::vector<FragileFile>;

constexpr std::size_t largest = 1 << 20;

Result<void> add_rules(Files &all, const std::string &root)
{
    const std::string directory[] = {root + "/etc/udev/rules.d"};
    const auto files = layered_files(directory, ".rules");
    if (!files) return files.error();
    for (const auto &[_, path] : *files) {
        auto text = read_layered(path, largest);
        if (!text) return text.error();
        auto names = fragile_rules(*text);
        if (!names.empty()) all.push_back({true, path, std::move(*text), std::move(names)});
    }
    return {};
}
} // namespace

Result<std::vector<FragileFile>> read_fragile(std::span<const LinkConfig> configs, const std::string &root)
{
    Files all;
    if (auto r = add_rules(all, root); !r) return r.error();
    for (const auto &config : configs)
        if (auto name = fragile_name(config)) all.push_back({false, config.path, config.text, {std::move(*name)}});
    return all;
}

} // namespace nmib
