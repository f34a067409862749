// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/number.hpp"
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"no-subnet-manager",
     N_("{where}: the link is up, and no subnet manager has set up the port (state {value}, SM LID 0)"),
     N_("Without one the port has no address in the subnet, and no interface on it a carrier."), Trouble::By::command,
     N_("One host of the subnet, or a switch, has to run a subnet manager; the one that answers: sminfo -C {hca} -P "
        "{port}. To run one here")},
    {"port-not-active", N_("{where}: the link is up, and the port stays {value}"),
     N_("The subnet manager has begun to set it up and has not ended: the other end may be down, or the manager busy "
        "or gone."),
     Trouble::By::hands, N_("The log of the subnet manager, on its host, names the GUID of the port"),
     "nm-ib port show {where}"},
    {"subnet-manager-lost", N_("{where} is active, and knows of no subnet manager (SM LID 0)"),
     N_("What is up stays up; nothing new can join a partition, and a port that flaps does not come back."),
     Trouble::By::hands,
     N_("See to the subnet manager on its host; nm-ib host there shows what is set. The subnet manager that answers "
        "here"),
     "sminfo -C {hca} -P {port}"},
    {"vf-without-subnet-manager",
     N_("{where} is of a virtual function, and no subnet manager has set it up, while its card's own port is active"),
     N_("The subnet manager has to know virtual ports: opensm knows those of ConnectX-4 and later only from the "
        "vendor."),
     Trouble::By::hands, N_("Use the vendor's subnet manager, with its support of virtual ports turned on")},
};
using Severity = Trouble::Severity;

/// opensm here for this port and, as before, for all others that it manages here.
std::vector<CommandLine> start_opensm(const Host &host, const RdmaPort &port)
{
    CommandLine setting{"nm-ib", "host", "opensm"};
    if (!port.guid || port.guid->value == 0) return {};
    for (const auto *all : {&host.devices, &host.others})
        for (const auto &device : *all)
            for (const auto &p : device.ports)
                if (p.guid && (&p == &port || p.has_sm() || (p.lid && p.sm_lid && *p.lid != 0 && *p.lid == *p.sm_lid)))
                    setting.push_back(p.guid->str());
    return {
        setting, {"systemctl", "enable", "opensm"}, {"systemctl", "stop", "opensm"}, {"systemctl", "start", "opensm"}};
}

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
    auto t = about(host, device, port);
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
        if (t.kind == &kinds[0]) t.commands = start_opensm(host, port);
    }
    return t;
}

} // namespace nmib::layer
