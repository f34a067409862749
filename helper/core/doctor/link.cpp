// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"port-polling", N_("{where} is down, and looks for a link (Polling)"),
     N_("There is no cable, or what is at its other end is off or set to another speed."), Trouble::By::hands,
     N_("Plug in the cable, or look at the switch or the other host; then"), "nm-ib port show {where}"},
    {"port-disabled", N_("{where} is down: it was disabled"),
     N_("A port that was disabled comes up only when it is enabled by name; it has no LID to be reached by."),
     Trouble::By::hands, N_("If the port shall be in use"), "ibportstate -C {hca} -P {port} -D 0 {port} enable"},
    {"port-training", N_("{where} is down: the link comes up to {value} and no further"),
     N_("A cable or a plug that is bad shows so."), Trouble::By::hands, N_("Try another cable. The errors of the port"),
     "perfquery -C {hca} -P {port}"},
    {"vf-without-guid", N_("{where} is of a virtual function that has no GUID"),
     N_("The subnet manager cannot tell it from others: the port stays down, programs that use the RDMA connection "
        "manager fail."),
     Trouble::By::hands,
     N_("On the host that has the card: set rdma.vf-guids to auto in the card's profile and activate the profile, then "
        "bind the function's driver again")},
    {"vf-link-down", N_("{where} is of a virtual function, and is down"),
     N_("The card lets the link of a virtual function follow its own only when it is told so."), Trouble::By::hands,
     N_("On the host that has the card: set the state of this function to auto (ip-link(8), vf)")},
};

const RdmaPort *find_port(const RdmaDevice &device, unsigned number)
{
    for (const auto &port : device.ports)
        if (port.number == number) return &port;
    return nullptr;
}
} // namespace

const std::span<const Trouble::Kind> link_kinds = kinds;

std::optional<Trouble> link(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    auto t = about(host, device, port);
    const bool is_vf = static_cast<bool>(device.physical_function);
    if (is_vf && ((port.guid && port.guid->value == 0) || (device.node_guid && device.node_guid->value == 0))) {
        t.kind = &kinds[3];
        return t;
    }
    const auto is_down = [](const RdmaPort &p) {
        return p.state && p.phys_state && *p.phys_state != PhysState::link_up && *p.state == PortState::down;
    };
    if (!is_down(port) || !host.wants(port)) return {}; // a port without a profile needs no cable
    auto state = *port.phys_state;
    if (is_vf) {
        const auto *card = host.card_of(device);
        const auto *own = card ? find_port(*card, port.number) : nullptr;
        if (!own || !is_down(*own)) {
            t.kind = &kinds[4];
            return t;
        }
        if (host.looks_at(*card) && host.wants(*own)) return {}; // the card's own port is reported
        t.where = card->label(*own), t.hca = card->name;
        state = *own->phys_state;
    }
    if (state == PhysState::disabled)
        t.kind = &kinds[1];
    else if (state == PhysState::polling || state == PhysState::sleep || state == PhysState::none)
        t.kind = &kinds[0];
    else
        t.kind = &kinds[2], t.value = word(state);
    return t;
}

} // namespace nmib::layer
