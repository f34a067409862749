// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/merge.hpp"

#include <algorithm>

namespace nmib::merging
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"roce-mode-differs", N_("RoCE ports {where} use different RoCE versions: {value}"),
     N_("The two do not understand each other: connections end with 'retry counter exceeded'."), Trouble::By::hands,
     N_("On the hosts that differ: nm-ib connection modify PROFILE rdma.roce-mode v2; nmcli connection up PROFILE, and "
        "an IPv4 or global IPv6 address on the interface")},
    {"roce-gid-differs", N_("RoCE ports {where} have their first routable RoCE v2 GID at different indices: {value}"),
     N_("A program that was given one index for all hosts takes a GID of another version or address on some, and its "
        "queue pairs time out."),
     Trouble::By::hands,
     N_("Give each host its own index (nm-ib port show PORT), or use a program that finds it, as those with the RDMA "
        "connection manager do")},
    {"roce-mtu-differs", N_("RoCE ports {where} have interfaces with different MTUs: {value}"),
     N_("The RDMA MTU follows from it: queue pairs that are set up with the larger one hang, or end with a local "
        "length error."),
     Trouble::By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE 802-3-ethernet.mtu MTU; nmcli connection up "
        "PROFILE")},
};

constexpr std::string_view v2 = "RoCE v2";

/// IPv4 or a global IPv6 address; a link-local one leads no further than the link.
bool is_routable(const GidEntry &entry) { return entry.type == v2 && !entry.gid.starts_with("fe80:"); }

/// What the connection manager takes where nobody says otherwise: what is set, else the highest that the port has
/// (cma.c, cma_add_one).
std::string mode_of(const RdmaPort &port)
{
    if (port.roce_mode) return *port.roce_mode;
    if (!port.gids || port.gids->empty()) return {};
    const bool has_v2 =
        std::any_of(port.gids->begin(), port.gids->end(), [](const GidEntry &e) { return e.type == v2; });
    return has_v2 ? std::string(v2) : port.gids->front().type;
}

struct Ports {
    Differing modes{}, indices{}, mtus{};
    std::string device{};
};
} // namespace

const std::span<const Trouble::Kind> roce_kinds = kinds;

std::vector<Trouble> roce(const Fabric &fabric)
{
    // Nothing tells who is to talk with whom. Hosts that have the same card in the same place are taken to be of one
    // kind, and those with another not.
    std::map<std::pair<std::string, std::string>, Ports> alike;
    for (const auto &p : fabric.ports()) {
        if (!p.port->layer || *p.port->layer != LinkLayer::roce || !p.port->state ||
            *p.port->state != PortState::active)
            continue;
        auto &ports = alike[{p.device->label(*p.port), p.device->board_id ? *p.device->board_id : ""}];
        ports.device = p.device->name;
        if (const auto mode = mode_of(*p.port); !mode.empty()) ports.modes.add(mode, p.host);
        if (!p.port->interfaces.empty()) ports.mtus.add(std::to_string(p.port->interfaces.front().mtu), p.host);
        if (!p.port->gids) continue;
        const auto first = std::find_if(p.port->gids->begin(), p.port->gids->end(), is_routable);
        if (first != p.port->gids->end()) ports.indices.add(std::to_string(first->index), p.host);
    }
    std::vector<Trouble> all;
    for (const auto &[key, ports] : alike) {
        const std::pair<const Trouble::Kind *, const Differing *> questions[] = {
            {&kinds[0], &ports.modes}, {&kinds[1], &ports.indices}, {&kinds[2], &ports.mtus}};
        for (const auto &[kind, values] : questions)
            if (values->between_hosts())
                all.push_back({.kind = kind,
                               .severity = Trouble::Severity::warning,
                               .where = key.first,
                               .subject = ports.device,
                               .value = values->text(fabric.translate()),
                               .hosts = values->odd()});
    }
    return all;
}

} // namespace nmib::merging
