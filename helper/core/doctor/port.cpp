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
    {"port-polling", N_("{where} is down, and looks for a link (Polling)"),
     N_("The cable is missing, or the device at the other end is off or set to another speed."), Trouble::By::hands,
     N_("Plug in the cable, or check the switch or the other host; then"), "nm-ib port show {where}"},
    {"port-disabled", N_("{where} is down: it was disabled"),
     N_("A disabled port stays down until a command enables the port. Some cards report a port without a cable in this "
        "way."),
     Trouble::By::hands, N_("Check the cable. To enable the port"),
     "ibportstate -C {hca} -P {port} -D 0 {port} enable"},
    {"port-training", N_("{where} is down: the link stays in state {value}"),
     N_("A bad cable or plug has this effect."), Trouble::By::hands, N_("Try another cable. The errors of the port"),
     "perfquery -C {hca} -P {port}"},
    {"vf-without-guid", N_("{where} belongs to a virtual function that has no GUID"),
     N_("The subnet manager cannot distinguish the function from others: the port stays down, "
        "programs that use the RDMA connection manager fail."),
     Trouble::By::hands,
     N_("On the host that has the card: set rdma.vf-guids to auto in the card's profile and activate the profile, then "
        "bind the function's driver again")},
    {"vf-link-down", N_("{where} belongs to a virtual function, and is down"),
     N_("The link of a virtual function follows the link of the card only in the state auto."), Trouble::By::hands,
     N_("On the host that has the card: set the state of this function to auto (ip-link(8), vf). If it is auto: the "
        "subnet manager has to support virtual ports, see vf-without-subnet-manager in nm-ib-doctor(7)")},
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

const RdmaPort *find_port(const RdmaDevice &device, unsigned number)
{
    for (const auto &port : device.ports)
        if (port.number == number) return &port;
    return nullptr;
}

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

const std::span<const Trouble::Kind> port_kinds = kinds;

std::optional<Trouble> link(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    auto t = about(host, device, port);
    const bool is_vf = device.is_virtual();
    if (is_vf && ((port.guid && port.guid->value == 0) || (device.node_guid && device.node_guid->value == 0))) {
        t.kind = find_kind(kinds, "vf-without-guid");
        return t;
    }
    // Functions of mlx5 have the card's physical state.
    const bool is_up = port.phys_state && *port.phys_state == PhysState::link_up;
    if (is_vf && is_up && port.state && *port.state == PortState::down && host.wants(port)) {
        t.kind = find_kind(kinds, "vf-link-down");
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
            t.kind = find_kind(kinds, "vf-link-down");
            return t;
        }
        if (host.looks_at(*card) && host.wants(*own)) return {}; // the card's own port is reported
        t.where = card->label(*own), t.hca = card->name;
        state = *own->phys_state;
    }
    if (state == PhysState::disabled)
        t.kind = find_kind(kinds, "port-disabled");
    else if (state == PhysState::polling || state == PhysState::sleep || state == PhysState::none)
        t.kind = find_kind(kinds, "port-polling");
    else
        t.kind = find_kind(kinds, "port-training"), t.value = word(state);
    return t;
}

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
