// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/command/operands.hpp"
#include "cli/name/world.hpp"
#include "core/base/number.hpp"
#include "core/name/proposal.hpp"
#include "probe/name/link_configs.hpp"
#include "probe/name/ports.hpp"

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
    std::sort(all.begin(), all.end(), is_before);
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
} // namespace

Words name_set_operands(const Words &before)
{
    return before.empty() ? port_words(look(), false) : names_for(look(), before.front());
}

Words name_unset_operands(const Words &) { return port_words(look(), true); }

} // namespace nmib::cli
