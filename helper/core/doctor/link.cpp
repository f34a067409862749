// SPDX-License-Identifier: LGPL-2.1-or-later
// Cable, physical state, virtual functions.
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
const RdmaPort *find_port(const RdmaDevice &device, unsigned number)
{
    for (const auto &port : device.ports)
        if (port.number == number) return &port;
    return nullptr;
}

/// A card with two ports may have a PCI function for each: only functions of one number do the same work.
bool is_same_function_of_another_card(const RdmaDevice &one, const RdmaDevice &other)
{
    const auto a = one.bus.rfind('.'), b = other.bus.rfind('.');
    if (a == std::string::npos || b == std::string::npos) return one.name != other.name;
    return one.bus.substr(0, a) != other.bus.substr(0, b) && one.bus.substr(a) == other.bus.substr(b);
}

/// Returns true if the machine has at least two other cards of this kind, and the same port of all is active.
bool is_odd_one_out(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    std::size_t others = 0, active = 0;
    for (const auto *all : {&host.devices, &host.others})
        for (const auto &d : *all) {
            if (!d.board_id || !device.board_id || *d.board_id != *device.board_id || d.is_virtual() ||
                d.is_fabric_managed || !is_same_function_of_another_card(d, device))
                continue;
            const auto *same = find_port(d, port.number);
            others++;
            active += same && same->state && *same->state == PortState::active;
        }
    return others >= 2 && active == others;
}
} // namespace

std::optional<Trouble> link(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    auto t = about(host, device, port);
    const bool is_vf = device.is_virtual();
    if (is_vf && ((port.guid && port.guid->value == 0) || (device.node_guid && device.node_guid->value == 0))) {
        t.kind = find_kind("vf-without-guid");
        return t;
    }
    // Functions of mlx5 have the card's physical state.
    const bool is_up = port.phys_state && *port.phys_state == PhysState::link_up;
    if (is_vf && is_up && port.state && *port.state == PortState::down && host.wants(port)) {
        t.kind = find_kind("vf-link-down");
        return t;
    }
    const auto is_down = [](const RdmaPort &p) {
        return p.state && p.phys_state && *p.phys_state != PhysState::link_up && *p.state == PortState::down;
    };
    if (!is_down(port)) return {};
    if (!host.wants(port)) { // a port without a profile needs no cable, unless all cards like it have one
        if (is_vf || !is_odd_one_out(host, device, port)) return {};
        t.severity = Severity::warning;
    }
    auto state = *port.phys_state;
    if (is_vf) {
        const auto *card = host.card_of(device);
        const auto *own = card ? find_port(*card, port.number) : nullptr;
        if (!own || !is_down(*own)) {
            t.kind = find_kind("vf-link-down");
            return t;
        }
        if (host.looks_at(*card) && host.wants(*own)) return {}; // the card's own port is reported
        t.where = card->label(*own), t.hca = card->name;
        state = *own->phys_state;
    }
    if (state == PhysState::disabled)
        t.kind = find_kind("port-disabled");
    else if (state == PhysState::polling || state == PhysState::sleep || state == PhysState::none)
        t.kind = find_kind("port-polling");
    else
        t.kind = find_kind("port-training"), t.value = word(state);
    return t;
}

} // namespace nmib::layer
