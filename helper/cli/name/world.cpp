// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/name/world.hpp"

#include "core/base/printable.hpp"
#include "core/ib/port_word.hpp"
#include "probe/name/link_configs.hpp"
#include "probe/name/ports.hpp"
#include "probe/name/udev_rules.hpp"

#include <algorithm>

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

} // namespace nmib::cli
