// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
using Severity = Trouble::Severity;
constexpr Trouble::Kind kinds[] = {
    {"no-subnet-manager",
     N_("{where}: the link is up, and no subnet manager has set up the port (state {value}, SM LID 0)"),
     N_("Without a subnet manager, the port has no address in the subnet, and its interfaces have no carrier."),
     Trouble::By::command,
     N_("One host of the subnet, or a switch, has to run a subnet manager. To see the active one: "
        "sminfo -C {hca} -P {port}. To run one here")},
    {"subnet-manager-on-other-port",
     N_("{where}: the link is up, and no subnet manager has set up the port; opensm of this host manages {value} only"),
     N_("opensm manages the subnet of each port that its settings name, and no other."), Trouble::By::command,
     N_("To manage both subnets with this opensm")},
    {"two-subnet-managers",
     N_("{where} and {subject} have the same subnet prefix, but different subnet managers: {value}"),
     N_("Two subnets need two prefixes: programs take the ports for one subnet, and connections fail. In one subnet "
        "two managers work against each other."),
     Trouble::By::hands,
     N_("Two subnets: set subnet_prefix in opensm.conf of one. One subnet: stop one manager. To see the manager of a "
        "port"),
     "sminfo -C {hca} -P {port}"},
    {"port-not-active", N_("{where}: the link is up, and the port stays {value}"),
     N_("The subnet manager has begun to set up the port, and has not ended: the other end may be "
        "down, or the manager busy or stopped."),
     Trouble::By::hands, N_("The log of the subnet manager, on its host, names the GUID of the port"),
     "nm-ib port show {where}"},
    {"subnet-manager-lost", N_("{where} is active, but its subnet manager no longer answers ({value})"),
     N_("Active interfaces stay up. New interfaces cannot join a partition, and a port that loses "
        "its link does not come back."),
     Trouble::By::hands,
     N_("Check the subnet manager on its host, where nm-ib host shows the settings. To see the "
        "subnet manager that answers here"),
     "sminfo -C {hca} -P {port}"},
    {"vf-without-subnet-manager",
     N_("{where} belongs to a virtual function: no subnet manager has set up the port, but the "
        "port of the card itself is active"),
     N_("The subnet manager has to support virtual ports: for ConnectX-4 and later, only the vendor's opensm does."),
     Trouble::By::hands, N_("Use the vendor's subnet manager, with its support of virtual ports turned on")},
    {"pkey-not-in-table", N_("{where}: P_Key {value} is not in the P_Key table of its port"),
     N_("The subnet manager has not put this port into the partition: no carrier until it does."), Trouble::By::hands,
     N_("In partitions.conf of the subnet manager: NAME={value}, ipoib: ALL=full; then: systemctl restart opensm. On "
        "its host, nm-ib host opensm GUID --dry-run prints the lines that profiles need")},
    {"pkey-limited", N_("{where}: its port is a limited member of the partition of P_Key {value}"),
     N_("Limited members reach only full members."), Trouble::By::hands,
     N_("In partitions.conf of the subnet manager: make this port, or the one that it has to reach, a full member "
        "(=full)")},
    {"no-broadcast-group",
     N_("{where} has no carrier, although its port is active and has the P_Key; the broadcast group was not queried"),
     N_("Joining the broadcast group of its partition fails: the group is missing, or requires "
        "another rate or MTU than the port has."),
     Trouble::By::hands,
     N_("The subnet manager makes the group where partitions.conf has 'ipoib'. To query the subnet "
        "manager, and to see the kernel's reason"),
     "sminfo -C {hca} -P {port}\njournalctl -k -g multicast.join.failed"},
};

/// The commands that start opensm on this port and, as before, on all other ports of this machine that it manages.
std::vector<CommandLine> start_opensm(const Host &host, const RdmaPort &port)
{
    CommandLine setting{"nm-ib", "host", "opensm"};
    constexpr unsigned is_sm_disabled = 1U << 10; // PortInfo.CapabilityMask
    if (!port.guid || port.guid->value == 0 || (port.cap_mask && (*port.cap_mask & is_sm_disabled) != 0)) return {};
    for (const auto *all : {&host.devices, &host.others})
        for (const auto &device : *all)
            for (const auto &p : device.ports)
                if (p.guid && !device.is_fabric_managed &&
                    (&p == &port || p.has_sm() || (p.lid && p.sm_lid && *p.lid != 0 && *p.lid == *p.sm_lid)))
                    setting.push_back(p.guid->str());
    return {
        setting, {"systemctl", "enable", "opensm"}, {"systemctl", "stop", "opensm"}, {"systemctl", "start", "opensm"}};
}

/// The ports of this host whose subnet its own opensm manages: "mlx5_0/1".
std::string managed_here(const Host &host)
{
    std::string labels;
    for (const auto *all : {&host.devices, &host.others})
        for (const auto &device : *all)
            for (const auto &port : device.ports)
                if (port.has_sm() && !device.is_fabric_managed)
                    labels += (labels.empty() ? "" : ", ") + device.label(port);
    return labels;
}

bool has_active_card(const Host &host, const RdmaDevice &device)
{
    const auto *card = host.card_of(device);
    return card && std::any_of(card->ports.begin(), card->ports.end(),
                               [](const RdmaPort &port) { return port.state && *port.state == PortState::active; });
}

std::optional<Trouble> judge_key(const RdmaPort &port, const PortNetdev &n)
{
    if (!n.pkey || !port.pkeys) return {};
    const auto holds = [&](const PKeyEntry &e) { return e.key.has_partition_of(*n.pkey); };
    const auto is_full = [&](const PKeyEntry &e) { return holds(e) && e.key.full_member(); };
    if (std::any_of(port.pkeys->begin(), port.pkeys->end(), is_full)) return {};
    const bool is_limited = std::any_of(port.pkeys->begin(), port.pkeys->end(), holds);
    return Trouble{.kind = is_limited ? find_kind(kinds, "pkey-limited") : find_kind(kinds, "pkey-not-in-table"),
                   .severity = is_limited ? Severity::warning : Severity::error,
                   .where = n.name.str(),
                   .value = n.pkey->str()};
}

} // namespace

const std::span<const Trouble::Kind> subnet_kinds = kinds;

std::optional<Trouble> subnet(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.state || !port.sm_lid || *port.state == PortState::none) return {};
    // mlx5 may leave a port Down although its link is up: without a subnet manager, or a spare function of a card.
    const bool may_need_manager = port.phys_state && *port.phys_state == PhysState::link_up && host.wants(port);
    if (*port.state == PortState::down && !may_need_manager) return {};
    auto t = about(host, device, port);
    const bool is_active = *port.state == PortState::active || *port.state == PortState::active_defer;
    const bool is_function = device.is_virtual();
    // A virtual function has its card's LID: in a guest, nothing shows which of the two runs the subnet manager.
    const bool was_here =
        host.has_opensm && !is_function && port.cap_mask && !port.has_sm() && port.lid && *port.lid == *port.sm_lid;
    const bool is_silent = !is_function && port.manager.failed() && port.manager.error().kind == Error::Kind::io;
    if (*port.sm_lid != 0 && is_active && !was_here && !is_silent) return {};
    t.value = word(*port.state);
    if (is_active) {
        t.value = "SM LID " + std::to_string(*port.sm_lid);
        t.kind = find_kind(kinds, "subnet-manager-lost");
        t.severity = Severity::warning;
    } else if (*port.sm_lid != 0) {
        t.kind = find_kind(kinds, "port-not-active");
    } else {
        t.kind = is_function || has_active_card(host, device) ? find_kind(kinds, "vf-without-subnet-manager")
                                                              : find_kind(kinds, "no-subnet-manager");
        if (t.kind != find_kind(kinds, "no-subnet-manager")) return t;
        t.commands = start_opensm(host, port);
        if (auto others = managed_here(host); !others.empty() && !t.commands->empty())
            t.kind = find_kind(kinds, "subnet-manager-on-other-port"), t.value = std::move(others);
    }
    return t;
}

std::vector<Trouble> managers(const Host &host)
{
    struct Managed {
        const RdmaDevice *device;
        const RdmaPort *port;
        std::uint64_t prefix;
    };
    std::vector<Managed> ports;
    std::vector<Trouble> all;
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) {
            const auto prefix = subnet_prefix(port);
            if (!prefix || !port.manager) continue;
            const auto found = std::find_if(ports.begin(), ports.end(), [&](const Managed &m) {
                return m.prefix == *prefix && m.port->manager->guid.value != port.manager->guid.value;
            });
            const auto other = found == ports.end() ? std::nullopt : std::optional(*found);
            ports.push_back({&device, &port, *prefix});
            if (!other || !all.empty()) continue; // one report for all pairs
            auto t = about(host, device, port);
            t.kind = find_kind(kinds, "two-subnet-managers");
            t.severity = *prefix == default_prefix ? Severity::note : Severity::warning;
            t.subject = other->device->label(*other->port);
            t.value = port.manager->guid.str() + ", " + other->port->manager->guid.str();
            all.push_back(std::move(t));
        }
    return all;
}

std::vector<Trouble> partition(const Host &host, const RdmaDevice &device, const RdmaPort &port, const PortNetdev &n)
{
    std::vector<Trouble> all;
    if (auto key = judge_key(port, n)) all.push_back(std::move(*key));
    const bool may_join = all.empty() || all[0].severity != Severity::error;
    if (may_join && n.infiniband && n.up && !n.carrier)
        all.push_back({.kind = find_kind(kinds, "no-broadcast-group"),
                       .severity = host.wants(n) ? Severity::error : Severity::warning,
                       .where = n.name.str(),
                       .hca = device.name,
                       .port = std::to_string(port.number)});
    return all;
}

} // namespace nmib::layer
