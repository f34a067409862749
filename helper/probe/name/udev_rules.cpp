// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/name/udev_rules.hpp"

#include "core/name/udev_rule.hpp"
#include "probe/base/layers.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
constexpr std::size_t largest = 1 << 20;

/// Whether it is for another subsystem, as the names of device nodes in old rules are.
bool is_for_others(const UdevRule &rule)
{
    const auto *subsystem = rule.matched("SUBSYSTEM");
    return subsystem && subsystem->find_first_of("*?[|") == subsystem->npos && *subsystem != "net";
}

bool reads_link_files(const UdevRule &rule)
{
    return std::any_of(rule.tokens.begin(), rule.tokens.end(), [](const UdevRule::Token &t) {
        return t.key == "IMPORT" && t.attribute == "builtin" && t.value == "net_setup_link";
    });
}
} // namespace

Result<void> read_udev_rules(NamingWorld &world, const std::string &root)
{
    world.rules.clear();
    world.link_files_off.clear();
    const auto files = layered_files(layers_of("udev/rules.d", root), ".rules");
    if (!files) return files.error();
    for (const auto &[file, path] : *files) {
        const auto text = read_layered(path, largest);
        if (!text) return text.error();
        const auto rules = parse_udev_rules(*text);
        if (file == "80-net-setup-link.rules" && std::none_of(rules.begin(), rules.end(), reads_link_files))
            world.link_files_off = path;
        for (const auto &rule : rules) {
            const auto *name = rule.name();
            if (!name || *name == "$env{ID_NET_NAME}" || is_for_others(rule)) continue;
            NameRule found{.path = path, .line = rule.last_line, .name = *name};
            for (const auto &port : world.ports) found.verdicts.push_back(matches(rule, port));
            world.rules.push_back(std::move(found));
        }
    }
    return {};
}

} // namespace nmib
