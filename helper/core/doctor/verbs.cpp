// SPDX-License-Identifier: LGPL-2.1-or-later
// What programs need on a port: nodes and libraries of libibverbs, P_Keys and GIDs, and IP subnets.
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
using Severity = Trouble::Severity;
constexpr Trouble::Kind kinds[] = {
    {"no-verbs-node", N_("{subject} has no {where} in /dev/infiniband"),
     N_("Programs that use RDMA do not find the card, and the connection manager's library may fail for all cards."),
     Trouble::By::hands,
     N_("A container needs the nodes of all cards. On a host the kernel makes {where} when the driver is loaded")},
    {"no-verbs-provider", N_("{where}: libibverbs has no library for this card ({value})"),
     N_("Programs that use RDMA report no devices, although the kernel has them."), Trouble::By::hands,
     N_("Install ibverbs-providers (Debian) or libibverbs (RHEL); what was built by hand belongs in "
        "/etc/libibverbs.d")},
    {"no-default-pkey", N_("{where}: its P_Key table has no default P_Key (0xffff or 0x7fff)"),
     N_("The subnet manager's own traffic needs this P_Key, and many programs use no other key."), Trouble::By::hands,
     N_("In partitions.conf of the subnet manager: Default=0x7fff, ipoib: ALL=full; then: systemctl restart opensm")},
    {"roce-link-local-only", N_("{where} is active, and all its GIDs are link-local ({subject})"),
     N_("A link-local GID cannot be routed: connections to hosts behind a router time out."), Trouble::By::hands,
     N_("Give {subject} an IPv4 address, or a global IPv6 one")},
    {"roce-first-gid", N_("{where}: its first GID has the index {value}, not 0"),
     N_("Programs take index 0 by default, and fail with 'no such device'."), Trouble::By::hands,
     N_("Give the program the index (NCCL_IB_GID_INDEX={value}, ib_send_bw -x {value}). To see all GIDs"),
     "nm-ib port show {where}"},
    {"same-subnet", N_("{where} and {subject} are both in the IP subnet {value}"),
     N_("One route wins: the traffic of both ports leaves through one port, and either port "
        "answers ARP for both. Half of the bandwidth is lost, and RDMA connections to the other port fail."),
     Trouble::By::hands,
     N_("Give each port an IP subnet of its own; or a routing table and a rule of its own, with arp_ignore=1, "
        "arp_announce=2 and rp_filter=2 in /proc/sys/net/ipv4/conf/{where} and /{subject}")},
};

/// The interface for an address. The port's label if the kernel gives no interface for a GID.
std::string interface_of(const RdmaDevice &device, const RdmaPort &port)
{
    for (const auto &gid : *port.gids)
        if (!gid.interface.empty()) return gid.interface;
    return port.interfaces.empty() ? device.label(port) : port.interfaces.front().name.str();
}

std::optional<Trouble> judge_gids(const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.gids || port.gids->empty() || !port.state || *port.state != PortState::active) return {};
    const auto &gids = *port.gids;
    Trouble t{.severity = Severity::warning, .where = device.label(port), .subject = interface_of(device, port)};
    const auto is_local = [](const GidEntry &g) { return g.gid.starts_with("fe80:"); };
    if (std::all_of(gids.begin(), gids.end(), is_local)) {
        t.kind = find_kind(kinds, "roce-link-local-only"),
        t.severity = Severity::note; // no address, or a bridge's port
        return t;
    }
    if (gids[0].index == 0) return {};
    t.kind = find_kind(kinds, "roce-first-gid"), t.value = std::to_string(gids[0].index);
    return t;
}

std::optional<Trouble> judge_default_key(const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.pkeys || port.pkeys->empty() || !port.state || *port.state != PortState::active) return {};
    const auto is_default = [](const PKeyEntry &e) { return e.key.is_default(); };
    if (std::any_of(port.pkeys->begin(), port.pkeys->end(), is_default)) return {};
    return Trouble{
        .kind = find_kind(kinds, "no-default-pkey"), .severity = Severity::warning, .where = device.label(port)};
}
} // namespace

const std::span<const Trouble::Kind> verbs_kinds = kinds;

std::vector<Trouble> verbs(const Host &host)
{
    std::vector<Trouble> all;
    std::string nodes, cards; // in a container usually all are missing
    for (const auto &[node, device] : host.missing_nodes) {
        nodes += (nodes.empty() ? "" : ", ") + node;
        cards += (cards.empty() ? "" : ", ") + device;
    }
    if (!nodes.empty())
        all.push_back({.kind = find_kind(kinds, "no-verbs-node"),
                       .severity = Severity::warning,
                       .where = std::move(nodes),
                       .subject = std::move(cards)});
    for (const auto &[device, provider] : host.missing_providers)
        all.push_back({.kind = find_kind(kinds, "no-verbs-provider"),
                       .severity = Severity::warning,
                       .where = device,
                       .value = provider});
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) {
            if (device.is_fabric_managed) continue;
            const bool is_roce = port.layer && *port.layer == LinkLayer::roce;
            const bool is_infiniband = port.layer && *port.layer == LinkLayer::infiniband;
            auto found = is_roce ? judge_gids(device, port) : std::nullopt;
            if (is_infiniband) found = judge_default_key(device, port);
            if (found) all.push_back(std::move(*found));
        }
    return all;
}

std::vector<Trouble> route(const Host &host)
{
    std::vector<Trouble> all;
    for (std::size_t i = 0; i < host.networks.size(); i++)
        for (std::size_t j = i + 1; j < host.networks.size(); j++) {
            const auto &a = host.networks[i], &b = host.networks[j];
            if (a.network != b.network || a.interface == b.interface || (a.answers_alone && b.answers_alone)) continue;
            all.push_back({.kind = find_kind(kinds, "same-subnet"),
                           .severity = Trouble::Severity::warning,
                           .where = a.interface,
                           .subject = b.interface,
                           .value = a.network});
        }
    return all;
}

} // namespace nmib::layer
