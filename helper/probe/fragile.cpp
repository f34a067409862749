// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/fragile.hpp"

#include "probe/layers.hpp"

namespace nmib
{

namespace
{
using Kind = FragileFile::Kind;
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
        if (!names.empty()) all.push_back({Kind::rule, path, std::move(*text), std::move(names)});
    }
    return {};
}

/// Names that ifup and NetworkManager pass over, copies among them.
bool is_passed_over(const std::string &name)
{
    for (const auto *ending : {"~", ".bak", ".old", ".orig", ".rpmnew", ".rpmorig", ".rpmsave"})
        if (name.ends_with(ending)) return true;
    return false;
}

Result<void> add_ifcfg(Files &all, const std::string &root)
{
    const std::string directory[] = {root + "/etc/sysconfig/network-scripts"};
    const auto files = layered_files(directory, "");
    if (!files) return files.error();
    for (const auto &[name, path] : *files) {
        if (!name.starts_with("ifcfg-") || is_passed_over(name)) continue;
        auto text = read_layered(path, largest);
        if (!text) return text.error();
        auto found = fragile_ifcfg(*text);
        if (found) all.push_back({Kind::ifcfg, path, std::move(*text), {std::move(*found)}});
    }
    return {};
}
} // namespace

Result<std::vector<FragileFile>> read_fragile(std::span<const LinkConfig> configs, const std::string &root)
{
    Files all;
    if (auto r = add_rules(all, root); !r) return r.error();
    for (const auto &config : configs)
        if (auto name = fragile_name(config))
            all.push_back({Kind::link_file, config.path, config.text, {std::move(*name)}});
    if (auto r = add_ifcfg(all, root); !r) return r.error();
    return all;
}

} // namespace nmib
