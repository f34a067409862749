// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/world.hpp"

#include "cli/command/command.hpp"
#include "core/base/number.hpp"
#include "core/base/printable.hpp"
#include "core/ib/rdma_device.hpp"
#include "core/name/conflict.hpp"
#include "probe/name/ports.hpp"
#include "probe/name/udev_files.hpp"

#include <algorithm>
#include <string_view>

namespace nmib::cli
{

namespace
{
bool is_called(const PortIdentity &port, std::string_view word)
{
    if (!port.interface) return false;
    const auto &names = port.interface->alternative_names;
    return port.interface->name.view() == word || std::find(names.begin(), names.end(), word) != names.end();
}

std::vector<const PortIdentity *> find_all(const NamingWorld &world, const std::string &word)
{
    std::vector<const PortIdentity *> found;
    const auto add_those = [&](const auto &is_it) {
        if (!found.empty()) return;
        for (const auto &p : world.ports)
            if (is_it(p)) found.push_back(&p);
    };
    add_those([&](const auto &p) { return is_called(p, word); });
    add_those([&](const auto &p) {
        const auto *own = world.own_file(p);
        const auto name = own ? name_in(own->file) : std::nullopt;
        return name && name->view() == word;
    });
    add_those([&](const auto &p) { return names_port(word, {p.hca, p.bus, p.number, p.guid}); });
    return found;
}
} // namespace

Result<NamingWorld> read_naming_world()
{
    const auto sysfs = Dir::open("/sys");
    if (!sysfs) return sysfs.error();
    auto rtnl = Rtnl::open();
    if (!rtnl) return rtnl.error();
    NamingWorld world;
    auto names = read_names(*rtnl);
    if (!names) return names.error();
    world.interfaces = std::move(*names);
    auto ports = read_ports(*sysfs, "/run/udev/data", world.interfaces);
    if (!ports) return ports.error();
    world.ports = std::move(*ports);
    auto configs = read_link_configs();
    if (!configs) return configs.error();
    world.configs = std::move(*configs);
    if (const auto read = read_udev_rules(world); !read) return read.error();
    return world;
}

Result<const PortIdentity *> find_port(const NamingWorld &world, const std::string &word)
{
    const auto found = find_all(world, word);
    if (found.size() == 1) return found.front();
    const auto shown = printable(word);
    if (found.size() > 1) {
        Words labels;
        for (const auto *p : found) labels.push_back(p->label());
        return bad(form(_("'%s' is more than one port; say which: %s"), shown.c_str(), join(labels, ", ").c_str()));
    }
    if (const auto dot = word.rfind('.'); dot != word.npos && !find_all(world, word.substr(0, dot)).empty())
        return bad(form(_("'%s' is no port, and a P_Key child follows the name of its port. Name that: %s"),
                        shown.c_str(), printable(word.substr(0, dot)).c_str()));
    return Error{Error::Kind::absent,
                 form(_("'%s' is no InfiniBand port of this machine. To see all ports: nm-ib name"), shown.c_str())};
}

std::string label(const PortIdentity &port)
{
    return printable(port.interface ? port.interface->name.str() : port.label());
}

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
