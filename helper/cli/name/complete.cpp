// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/complete.hpp"

#include "cli/name/command.hpp"
#include "cli/name/world.hpp"
#include "core/link_file/proposal.hpp"
#include "probe/link_configs.hpp"
#include "probe/ports.hpp"

#include <algorithm>
#include <string_view>

namespace nmib::cli
{

namespace
{
/// Without the udev rules, which say nothing of what a port can be called by; and without what cannot be read.
NamingWorld look()
{
    NamingWorld world;
    auto rtnl = Rtnl::open();
    if (auto names = rtnl ? read_names(*rtnl) : Result<std::vector<InterfaceNames>>(rtnl.error()))
        world.interfaces = std::move(*names);
    const auto sysfs = Dir::open("/sys");
    if (auto ports = sysfs ? read_ports(*sysfs, "/run/udev/data", world.interfaces)
                           : Result<std::vector<PortIdentity>>(sysfs.error()))
        world.ports = std::move(*ports);
    if (auto configs = read_link_configs()) world.configs = std::move(*configs);
    return world;
}

Words names_given(const NamingWorld &world)
{
    Words names;
    for (const auto &c : world.configs)
        if (is_ours(c)) names.push_back(name_in(c.file)->str());
    return names;
}

/// Interfaces, names that are still to come, HCA and number. `named`: of ports that have a name of ours alone.
Words port_words(const NamingWorld &world, bool named)
{
    auto all = names_given(world);
    for (const auto &port : world.ports) {
        if (named && !world.own_file(port)) continue;
        if (port.interface) all.push_back(port.interface->name.str());
        all.push_back(port.label());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// The name that the port has from us, or what `propose` would call it.
Words names_for(const NamingWorld &world, const std::string &word)
{
    const auto port = find_port(world, word);
    if (!port) return {};
    if (const auto *own = world.own_file(**port)) return {name_in(own->file)->str()};
    for (const auto &proposal : propose_names(world))
        if (proposal.port == *port) return {proposal.name.str()};
    return {};
}

Words match_values()
{
    Words all;
    for (const auto &m : match_words()) all.emplace_back(m.word);
    return all;
}

/// Those that are not there yet.
Words option_words(const NameCommand &command, std::span<const std::string> before)
{
    Words all;
    const auto add = [&](const char *word) {
        if (std::find(before.begin(), before.end(), word) == before.end()) all.emplace_back(word);
    };
    for (const auto &flag : command.flags) add(flag.word);
    if (command.matches) add("--match");
    return all;
}
} // namespace

Words complete_name(std::span<const std::string> words)
{
    const bool no_verb = !words.empty() && words.front().starts_with("--"); // then it is "list"
    if (words.size() == 1 && !no_verb) {
        Words verbs;
        for (const auto &c : name_commands()) verbs.emplace_back(c.word);
        return verbs;
    }
    const auto *command = words.empty() ? nullptr : find_name_command(no_verb ? "list" : words.front());
    if (!command) return {};
    const auto before = words.subspan(no_verb ? 0 : 1, words.size() - (no_verb ? 1 : 2));
    if (command->matches && !before.empty() && before.back() == "--match") return match_values();
    if (words.back().starts_with('-')) return option_words(*command, before);
    Words plain;
    for (std::size_t i = 0; i < before.size(); i++) {
        if (command->matches && before[i] == "--match")
            i++;
        else if (!before[i].starts_with('-'))
            plain.push_back(before[i]);
    }
    if (plain.size() == command->words) return option_words(*command, before);
    return plain.empty() ? port_words(look(), command->verb == unset_name) : names_for(look(), plain.front());
}

} // namespace nmib::cli
