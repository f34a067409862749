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
    {"no-rdma-device", N_("{where} is an InfiniBand card under {subject}, and has no RDMA device"),
     N_("The module that makes the RDMA device is not loaded, or found a fault: there is no port and no interface."),
     Trouble::By::hands,
     N_("To load the module at each boot: nm-ib host modules auto. To load the module now, and to "
        "see the kernel's reason if that fails"),
     "modprobe {value}\njournalctl -k -g {where}"},
    {"no-ipoib-module", N_("{where} has no interface: the module ib_ipoib is not loaded"),
     N_("The module makes the interfaces of InfiniBand ports (ib0)."), Trouble::By::fix,
     N_("To load the module at each boot as well: nm-ib host modules auto. To load the module now"),
     "modprobe ib_ipoib"},
    {"no-umad-module", N_("the module ib_umad is not loaded"),
     N_("sminfo, ibportstate, opensm and nm-ib cannot query ports."), Trouble::By::fix,
     N_("To load the module at each boot as well: nm-ib host modules auto. To load the module now"),
     "modprobe ib_umad"},
    {"no-driver", N_("{where} is an InfiniBand card without a driver"),
     N_("Without a driver there is neither port nor interface."), Trouble::By::hands,
     N_("The kernel's own drivers are mlx4_core and mlx5_core. A driver that tried has logged the reason"),
     "journalctl -k -g {where}"},
    {"no-driver-of-vendor", N_("{where} is an InfiniBand card without a driver, and the vendor's modules are loaded"),
     N_("The vendor's stack does not support older cards (ConnectX-3 and before), and its modules "
        "keep the kernel's modules out."),
     Trouble::By::hands,
     N_("Remove the vendor's stack, or put in a card that it knows; the kernel's own mlx4_core drives older cards")},
    {"profile-without-device", N_("no RDMA device found, and profiles wait for one: {value}"),
     N_("The machine does not see the card, or no driver knows it."), Trouble::By::hands,
     N_("The cards that the machine sees, and the log of their drivers"), "lspci -nn\njournalctl -k -b"},
    {"port-polling", N_("{where} is down, and looks for a link (Polling)"),
     N_("The cable is missing, or the device at the other end is off or set to another speed."), Trouble::By::hands,
     N_("Plug in the cable, or check the switch or the other host; then"), "nm-ib port show {where}"},
    {"port-disabled", N_("{where} is down: it was disabled"),
     N_("A disabled port stays down until a command enables this port; it has no LID, and cannot be reached."),
     Trouble::By::hands, N_("To enable the port"), "ibportstate -C {hca} -P {port} -D 0 {port} enable"},
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
     N_("On the host that has the card: set the state of this function to auto (ip-link(8), vf)")},
    {"no-subnet-manager",
     N_("{where}: the link is up, and no subnet manager has set up the port (state {value}, SM LID 0)"),
     N_("Without a subnet manager, the port has no address in the subnet, and its interfaces have no carrier."),
     Trouble::By::command,
     N_("One host of the subnet, or a switch, has to run a subnet manager. To see the active one: "
        "sminfo -C {hca} -P {port}. To run one here")},
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
     N_("{where} has no carrier, and its port is active and has the P_Key; the subnet manager was not queried"),
     N_("Joining the broadcast group of its partition fails: the group is missing, or requires "
        "another rate or MTU than the port has."),
     Trouble::By::hands,
     N_("The subnet manager makes the group where partitions.conf has 'ipoib'. To query the subnet "
        "manager, and to see the kernel's reason"),
     "sminfo -C {hca} -P {port}\njournalctl -k -g multicast.join.failed"},
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

/// InfiniBand profiles without an interface that connect automatically or that the command line names.
std::string waiting_profiles(const Host &host)
{
    std::string names;
    for (const auto &p : host.profiles)
        if (p.type == ProfileState::Type::infiniband && p.target == ProfileState::Target::none &&
            (p.autoconnect || host.named))
            names += (names.empty() ? "" : ", ") + p.id;
    return names;
}

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
    if (!port.guid || port.guid->value == 0) return {};
    for (const auto *all : {&host.devices, &host.others})
        for (const auto &device : *all)
            for (const auto &p : device.ports)
                if (p.guid && (&p == &port || p.has_sm() || (p.lid && p.sm_lid && *p.lid != 0 && *p.lid == *p.sm_lid)))
                    setting.push_back(p.guid->str());
    return {
        setting, {"systemctl", "enable", "opensm"}, {"systemctl", "stop", "opensm"}, {"systemctl", "start", "opensm"}};
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
        t.kind = find_kind(kinds, "roce-link-local-only");
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

const std::span<const Trouble::Kind> port_kinds = kinds;

std::vector<Trouble> module(const Host &host)
{
    std::vector<Trouble> all;
    for (const auto &[bus, driver] : host.bare_functions) {
        const auto name = driver.substr(0, driver.find('_')) + "_ib"; // mlx5_core: mlx5_ib
        all.push_back({.kind = find_kind(kinds, "no-rdma-device"), .where = bus, .subject = driver, .value = name});
    }
    for (const auto &bus : host.unbound_functions)
        all.push_back(
            {.kind = host.has_vendor_stack ? find_kind(kinds, "no-driver-of-vendor") : find_kind(kinds, "no-driver"),
             .where = bus});
    if (!host.has_device && all.empty())
        if (auto names = waiting_profiles(host); !names.empty())
            all.push_back({.kind = find_kind(kinds, "profile-without-device"), .value = std::move(names)});
    bool is_infiniband = false;
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) is_infiniband |= port.layer && *port.layer == LinkLayer::infiniband;
    if (is_infiniband && !host.has_umad)
        all.push_back(
            {.kind = find_kind(kinds, "no-umad-module"), .severity = Trouble::Severity::warning, .where = "ib_umad"});
    return all;
}

std::optional<Trouble> module(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.interfaces.empty() || host.has_ipoib) return {};
    return Trouble{.kind = find_kind(kinds, "no-ipoib-module"), .where = device.label(port)};
}

std::optional<Trouble> link(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    auto t = about(host, device, port);
    const bool is_vf = static_cast<bool>(device.physical_function);
    if (is_vf && ((port.guid && port.guid->value == 0) || (device.node_guid && device.node_guid->value == 0))) {
        t.kind = find_kind(kinds, "vf-without-guid");
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
    if (!port.state || !port.sm_lid || *port.state == PortState::down || *port.state == PortState::none) return {};
    auto t = about(host, device, port);
    const bool is_active = *port.state == PortState::active || *port.state == PortState::active_defer;
    const bool is_function = device.physical_function || device.physical_function.failed();
    // A virtual function has its card's LID: in a guest, nothing shows which of the two runs the subnet manager.
    const bool was_here =
        host.has_opensm && !is_function && port.cap_mask && !port.has_sm() && port.lid && *port.lid == *port.sm_lid;
    if (*port.sm_lid != 0 && is_active && !was_here) return {};
    t.value = word(*port.state);
    if (is_active) {
        t.value = "SM LID " + std::to_string(*port.sm_lid);
        t.kind = find_kind(kinds, "subnet-manager-lost");
        t.severity = Severity::warning;
    } else if (*port.sm_lid != 0) {
        t.kind = find_kind(kinds, "port-not-active");
    } else {
        t.kind = has_active_card(host, device) ? find_kind(kinds, "vf-without-subnet-manager")
                                               : find_kind(kinds, "no-subnet-manager");
        if (t.kind == find_kind(kinds, "no-subnet-manager")) t.commands = start_opensm(host, port);
    }
    return t;
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

std::vector<Trouble> verbs(const Host &host)
{
    std::vector<Trouble> all;
    for (const auto &[node, device] : host.missing_nodes)
        all.push_back({.kind = find_kind(kinds, "no-verbs-node"),
                       .severity = Severity::warning,
                       .where = node,
                       .subject = device});
    for (const auto &[device, provider] : host.missing_providers)
        all.push_back({.kind = find_kind(kinds, "no-verbs-provider"),
                       .severity = Severity::warning,
                       .where = device,
                       .value = provider});
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
