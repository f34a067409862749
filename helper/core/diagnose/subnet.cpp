// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/diagnose/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"no-subnet-manager",
     N_("{where}: the link is up, and no subnet manager has set up the port (state {value}, SM LID 0)"),
     N_("Without one the port has no address in the subnet, and no interface on it a carrier."),
     N_("Start one on one host of the subnet, or on a switch; here: nm-ib host opensm $(nm-ib -g PORT.GUID port show "
        "{where}); systemctl enable opensm; systemctl restart opensm; to see the one that answers: sminfo -C "
        "{subject}")},
    {"port-not-active", N_("{where}: the link is up, and the port stays {value}"),
     N_("The subnet manager has begun to set it up and has not ended: the other end may be down, or the manager busy "
        "or gone."),
     N_("Ask the manager's log (journalctl -u opensm on its host) for the port's GUID; nm-ib port show {where} has "
        "it")},
    {"subnet-manager-lost", N_("{where} is active, and knows of no subnet manager (SM LID 0)"),
     N_("What is up stays up; nothing new can join a partition, and a port that flaps does not come back."),
     N_("See to the subnet manager: sminfo -C {subject}; on its host: nm-ib host (what is set), systemctl restart "
        "opensm")},
    {"vf-without-subnet-manager",
     N_("{where} is of a virtual function, and no subnet manager has set it up, while its card's own port is active"),
     N_("The subnet manager has to know virtual ports: opensm knows those of ConnectX-4 and later only from the "
        "vendor."),
     N_("Use the vendor's subnet manager, with its support of virtual ports turned on")},
};
using Severity = Trouble::Severity;

/// Is a port of the same card active that is no virtual function's?
bool has_active_card(const Host &host, const RdmaDevice &device)
{
    const auto *card = host.card_of(device);
    return card && std::any_of(card->ports.begin(), card->ports.end(),
                               [](const RdmaPort &port) { return port.state && *port.state == PortState::active; });
}
} // namespace

const std::span<const Trouble::Kind> subnet_kinds = kinds;

std::optional<Trouble> subnet(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.state || !port.sm_lid || *port.state == PortState::down || *port.state == PortState::none) return {};
    Trouble t{.severity = host.wants(port) ? Severity::error : Severity::warning,
              .where = device.label(port),
              .subject = device.name};
    const bool is_active = *port.state == PortState::active || *port.state == PortState::active_defer;
    if (*port.sm_lid != 0 && is_active) return {};
    t.value = word(*port.state);
    if (is_active) {
        t.kind = &kinds[2];
        t.severity = Severity::warning;
    } else if (*port.sm_lid != 0) {
        t.kind = &kinds[1];
    } else {
        t.kind = has_active_card(host, device) ? &kinds[3] : &kinds[0];
    }
    return t;
}

} // namespace nmib::layer
