// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"no-verbs-node", N_("{subject} has no {where} in /dev/infiniband"),
     N_("Programs that use RDMA do not find the card, and the connection manager's library may fail for all cards."),
     Trouble::By::hands,
     N_("A container needs the nodes of all cards. On a host the kernel makes {where} when the driver is loaded")},
    {"no-verbs-provider", N_("{where}: no library of libibverbs is there for it ({value})"),
     N_("Programs that use RDMA say that there are no devices, though the kernel has them."), Trouble::By::hands,
     N_("Install ibverbs-providers (Debian) or libibverbs (RHEL); what was built by hand belongs in "
        "/etc/libibverbs.d")},
    {"no-default-pkey", N_("{where}: its P_Key table has no default P_Key (0xffff or 0x7fff)"),
     N_("The subnet manager's own traffic needs it, and many programs take no other key."), Trouble::By::hands,
     N_("In partitions.conf of the subnet manager: Default=0x7fff, ipoib: ALL=full; then: systemctl restart "
        "opensm")},
    {"roce-link-local-only", N_("{where} is active, and all its GIDs are link-local ({subject})"),
     N_("A link-local GID cannot be routed: connections to hosts behind a router time out."), Trouble::By::hands,
     N_("Give {subject} an IPv4 address, or a global IPv6 one")},
    {"roce-first-gid", N_("{where}: its first GID has the index {value}, not 0"),
     N_("Programs take the index 0 when nobody says another, and fail with 'no such device'."), Trouble::By::hands,
     N_("Name the index to the program (NCCL_IB_GID_INDEX={value}, ib_send_bw -x {value}). All GIDs"),
     "nm-ib port show {where}"},
};
using Severity = Trouble::Severity;

/// For an address; the port, if the kernel does not say which interface a GID is of.
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
        t.kind = &kinds[3];
        return t;
    }
    if (gids[0].index == 0) return {};
    t.kind = &kinds[4], t.value = std::to_string(gids[0].index);
    return t;
}

std::optional<Trouble> judge_default_key(const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.pkeys || port.pkeys->empty() || !port.state || *port.state != PortState::active) return {};
    const auto is_default = [](const PKeyEntry &e) { return (e.key & 0x7fff) == 0x7fff; };
    if (std::any_of(port.pkeys->begin(), port.pkeys->end(), is_default)) return {};
    return Trouble{.kind = &kinds[2], .severity = Severity::warning, .where = device.label(port)};
}
} // namespace

const std::span<const Trouble::Kind> verbs_kinds = kinds;

std::vector<Trouble> verbs(const Host &host)
{
    std::vector<Trouble> all;
    for (const auto &[node, device] : host.missing_nodes)
        all.push_back({.kind = &kinds[0], .severity = Severity::warning, .where = node, .subject = device});
    for (const auto &[device, provider] : host.missing_providers)
        all.push_back({.kind = &kinds[1], .severity = Severity::warning, .where = device, .value = provider});
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) {
            const bool is_roce = port.layer && *port.layer == LinkLayer::roce;
            const bool is_infiniband = port.layer && *port.layer == LinkLayer::infiniband;
            auto found = is_roce ? judge_gids(device, port) : std::nullopt;
            if (is_infiniband) found = judge_default_key(device, port);
            if (found) all.push_back(std::move(*found));
        }
    return all;
}

} // namespace nmib::layer
