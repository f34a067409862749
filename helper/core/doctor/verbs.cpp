// SPDX-License-Identifier: LGPL-2.1-or-later
// What programs need on a port: nodes and libraries of libibverbs, P_Keys and GIDs.
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
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
        t.kind = find_kind("roce-link-local-only"),
        t.severity = Severity::note; // no address, or a bridge's port
        return t;
    }
    if (gids[0].index == 0) return {};
    t.kind = find_kind("roce-first-gid"), t.value = std::to_string(gids[0].index);
    return t;
}

std::optional<Trouble> judge_default_key(const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.pkeys || port.pkeys->empty() || !port.state || *port.state != PortState::active) return {};
    const auto is_default = [](const PKeyEntry &e) { return e.key.is_default(); };
    if (std::any_of(port.pkeys->begin(), port.pkeys->end(), is_default)) return {};
    return Trouble{.kind = find_kind("no-default-pkey"), .severity = Severity::warning, .where = device.label(port)};
}

constexpr unsigned roce_udp_port = 4791;

void judge_priorities(const ProfileState &profile, const Dcb &dcb, std::vector<Trouble> &all)
{
    const auto dscp = *profile.roce_tos >> 2;                  // the other bits are for congestion (RFC 3168)
    if (dscp == 0 || !dcb.of_dscp || !dcb.of_udp_port) return; // 0 is for the default priority
    Trouble t{.where = profile.interface, .subject = profile.id, .uuid = profile.uuid};
    auto priority = dcb.of_dscp->find(dscp), none = dcb.of_dscp->end();
    if (priority == none) priority = dcb.of_udp_port->find(roce_udp_port), none = dcb.of_udp_port->end();
    if (priority == none) {
        t.kind = find_kind("roce-tos-unmapped"), t.severity = Severity::warning, t.value = std::to_string(dscp);
        all.push_back(std::move(t));
    } else if (dcb.flow_control && !dcb.flow_control->at(priority->second) && !dcb.has_pause) {
        t.kind = find_kind("roce-no-pfc"), t.severity = Severity::note;
        t.value = std::to_string(priority->second);
        all.push_back(std::move(t));
    }
}
} // namespace

std::vector<Trouble> verbs(const Host &host)
{
    std::vector<Trouble> all;
    std::string nodes, cards; // in a container usually all are missing
    for (const auto &[node, device] : host.missing_nodes) {
        nodes += (nodes.empty() ? "" : ", ") + node;
        cards += (cards.empty() ? "" : ", ") + device;
    }
    if (!nodes.empty())
        all.push_back({.kind = find_kind("no-verbs-node"),
                       .severity = Severity::warning,
                       .where = std::move(nodes),
                       .subject = std::move(cards)});
    for (const auto &[device, provider] : host.missing_providers)
        all.push_back({.kind = find_kind("no-verbs-provider"),
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
            if (!is_roce || port.interfaces.empty()) continue;
            for (const auto &profile : host.profiles) {
                const auto dcb = host.dcb.find(profile.interface);
                const bool is_here = profile.interface == port.interfaces.front().name.str();
                if (is_here && profile.roce_tos && dcb != host.dcb.end()) judge_priorities(profile, dcb->second, all);
            }
        }
    return all;
}

} // namespace nmib::layer
