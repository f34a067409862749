// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/merge.hpp"

#include <algorithm>

namespace nmib::merging
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"same-guid", N_("several hosts have the same GUID: {value}: {where}"),
     N_("The subnet manager takes them for one: one of them gets no address, or both lose theirs in turn."),
     Trouble::By::hands,
     N_("Give each card the GUIDs that its label has, with the vendor's tool; of virtual functions: ip link set PF vf "
        "NUMBER node_guid GUID port_guid GUID")},
    {"same-host-name", N_("several hosts have the name {where}: {value}"),
     N_("In the map of the fabric, in logs and in job files nobody can tell which of them is meant."),
     Trouble::By::hands, N_("On all but one: hostnamectl set-hostname NAME")},
    {"same-description", N_("several hosts have cards with the node description '{where}': {value}"),
     N_("So they have one name in the map of the fabric (ibnetdiscover, ibdiagnet), and nobody finds a bad one there."),
     Trouble::By::hands,
     N_("On each: systemctl enable --now rdma-ndd; it puts the host name into the node description")},
};
using Severity = Trouble::Severity;

/// Of a card with an InfiniBand port: on Ethernet nobody looks at it.
bool is_on_fabric(const RdmaDevice &device)
{
    return std::any_of(device.ports.begin(), device.ports.end(),
                       [](const RdmaPort &p) { return p.layer && *p.layer == LinkLayer::infiniband; });
}

void find_guids(const Fabric &fabric, std::vector<Trouble> &all)
{
    std::map<Guid, Names> hosts_of;
    for (const auto &p : fabric.ports()) {
        if (p.device->node_guid) add_name(hosts_of[*p.device->node_guid], p.host);
        if (p.port->guid) add_name(hosts_of[*p.port->guid], p.host);
    }
    std::map<Names, Names> guids_of; // the hosts that share some, and which
    for (const auto &[guid, hosts] : hosts_of)
        if (guid.value != 0 && hosts.size() > 1) guids_of[hosts].push_back(guid.str());
    for (const auto &[hosts, guids] : guids_of)
        all.push_back({.kind = &kinds[0],
                       .where = listed(guids, fabric.translate()),
                       .value = listed(hosts, fabric.translate()),
                       .hosts = hosts});
}

void find_descriptions(const Fabric &fabric, std::vector<Trouble> &all)
{
    std::map<std::string, Names> hosts_of;
    for (const auto &report : fabric.reports())
        for (const auto &device : report.devices)
            if (device.description && is_on_fabric(device))
                add_name(hosts_of[*device.description], fabric.name(report));
    for (const auto &[description, hosts] : hosts_of)
        if (hosts.size() > 1)
            all.push_back({.kind = &kinds[2],
                           .severity = Severity::warning,
                           .where = description,
                           .value = listed(hosts, fabric.translate()),
                           .hosts = hosts});
}
} // namespace

const std::span<const Trouble::Kind> identity_kinds = kinds;

std::vector<Trouble> identity(const Fabric &fabric)
{
    std::vector<Trouble> all;
    find_guids(fabric, all);
    for (const auto &[host, files] : fabric.shared_names())
        all.push_back({.kind = &kinds[1],
                       .severity = Severity::warning,
                       .where = host,
                       .value = listed(files, fabric.translate()),
                       .hosts = {host}});
    find_descriptions(fabric, all);
    return all;
}

} // namespace nmib::merging
