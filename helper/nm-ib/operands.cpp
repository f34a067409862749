// SPDX-License-Identifier: LGPL-2.1-or-later
#include "nm-ib/operands.hpp"

#include "nm/nmcli.hpp"
#include "probe/plan/probe.hpp"
#include "verbs/port/inventory.hpp"

namespace nmib::cli
{

Words interface_names(bool children)
{
    Words names;
    auto probe = Probe::open();
    const auto links = probe ? probe->rtnl().ipoib_links() : Result<std::vector<LinkRow>>(probe.error());
    if (links)
        for (const auto &l : *links)
            if (l.name && l.infiniband && (children || !l.parent)) names.push_back(l.name->str());
    return names;
}

namespace
{
/// InfiniBand profiles only.
Words profile_names()
{
    constexpr std::string_view type = "infiniband:";
    const auto run = run_nmcli({"-t", "-e", "no", "-f", "TYPE,NAME", "connection", "show"});
    Words names;
    for (const auto &line : run ? cut(run->out, "\n") : Words{})
        if (line.starts_with(type)) names.push_back(line.substr(type.size()));
    return names;
}

template<class Each> Words of_ports(Each each)
{
    Words all;
    const auto inventory = take_inventory(Depth::list);
    for (const auto &device : inventory ? inventory->devices : std::vector<RdmaDevice>{})
        for (const auto &port : device.ports) each(device, port, all);
    return all;
}
} // namespace

Words profile_operands(const Words &)
{
    auto words = interface_names(true);
    for (auto &name : profile_names()) words.push_back(std::move(name));
    return words;
}

Words port_operands(const Words &)
{
    return of_ports([](const auto &device, const auto &port, Words &all) {
        all.push_back(device.label(port));
        for (const auto &n : port.interfaces) all.push_back(n.name.str());
    });
}

Words rail_operands(const Words &) { return interface_names(true); }

Words guid_operands(const Words &)
{
    return of_ports([](const auto &, const auto &port, Words &all) {
        if (port.guid) all.push_back(port.guid->str());
    });
}

} // namespace nmib::cli
