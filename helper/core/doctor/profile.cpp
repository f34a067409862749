// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"
#include "core/name/naming_world.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
using Code = Finding::Code;
using Severity = Trouble::Severity;
using Of = Trouble::Kind::Of;
constexpr Trouble::Kind kinds[] = {
    {"profile-without-interface", N_("profile '{subject}' is for {where}, which does not exist"),
     N_("The profile cannot be activated. A profile with autoconnect waits without a message."), Trouble::By::hands,
     N_("Give the port a stable name (nm-ib name set), or change the profile's interface-name, or "
        "the parent of its P_Key. To see the interfaces"),
     "nm-ib port"},
    {"activation-failed", N_("profile '{subject}' is not active on {where}: its last activation failed ({value})"),
     N_("NetworkManager has used up its attempts, and pauses for minutes; a command or a new carrier starts the next."),
     Trouble::By::hands, N_("Correct the cause, then activate the profile"),
     "journalctl -b -u NetworkManager -g {where}\nnmcli connection up uuid {uuid}"},
    {"no-dhcp-answer", N_("profile '{subject}' is not active on {where}: no DHCP server has answered"),
     N_("DHCP servers know an InfiniBand port by its client identifier only; {value}."), Trouble::By::hands,
     N_("Give the server a host entry with this identifier, or give the profile a static address; then"),
     "nmcli connection up uuid {uuid}"},
    {"nvswitch-profile", N_("profile '{subject}' is for {where}, a port that manages the machine's NVSwitches"),
     N_("The port belongs to the fabric manager of the machine: traffic and settings of others disturb it."),
     Trouble::By::hands, N_("Give the profile a port for users, or delete the profile. To see the ports"),
     "nm-ib port"},
    {"child-without-profile", N_("{where} is a P_Key child (P_Key {value}) without a profile"),
     N_("A deleted profile or another program left the interface behind. No other interface of the port can use its "
        "P_Key."),
     Trouble::By::hands, N_("If no program needs the interface"), "ip link delete {where}"},
    {"kernel-name",
     N_("profiles are bound to names that depend on the order in which the kernel finds the ports: {value}"),
     N_("With several cards, the next boot may give the name to another port."), Trouble::By::hands,
     N_("Give the ports stable names"), "nm-ib name propose --dry-run"},
    {"name-misleads", N_("{where}, an interface of type {value}, has a name of the other type"),
     N_("Programs that decide by the name take the interface for one of the other type."), Trouble::By::hands,
     N_("Give the port another name (nm-ib name set for InfiniBand, a .link file for Ethernet)")},
    {"pkey-looks-decimal",
     N_("profile '{subject}' has the P_Key {value}, read as a decimal number; the port of {where} has 0x{value}"),
     N_("Without 0x a P_Key is decimal: the profile names another partition, and the port is not a "
        "member of that partition."),
     Trouble::By::fix, "", "nm-ib connection modify uuid {uuid} infiniband.p-key 0x{value}",
     Trouble::Kind::Of::property},
    {"infiniband-profile-on-ethernet",
     N_("profile '{subject}' is of type infiniband, and {where} is an Ethernet port of an RDMA card"),
     N_("The link type of a card's port is set in its firmware, and some tools set it to Ethernet; the profile cannot "
        "be activated."),
     Trouble::By::hands,
     N_("Make the profile one of type ethernet; or make the port one for InfiniBand and reboot, which a card with "
        "firmware for Ethernet refuses")},
    {"ethernet-profile-on-infiniband",
     N_("profile '{subject}' is of type ethernet, and {where} is an InfiniBand interface"),
     N_("NetworkManager never activates the profile there. Tools that support only addresses of 6 "
        "bytes write such profiles."),
     Trouble::By::hands,
     N_("Make a profile of type infiniband for {where}, with the addresses of this profile, and delete this one. Its "
        "addresses"),
     "nmcli -f ipv4,ipv6 connection show uuid {uuid}", Trouble::Kind::Of::form},
    {"bond-not-active-backup", N_("profile '{subject}' makes {where} a port of a bond with mode {value}"),
     N_("IPoIB interfaces work in a bond of mode active-backup only: they cannot change their address."),
     Trouble::By::command, N_("In effect once the bond is activated again"), "", Trouble::Kind::Of::property},
    {"vfs-impossible",
     N_("profile '{subject}' requests {value} virtual functions of {where}, and its card offers none"),
     N_("The card's firmware, or the machine's, has SR-IOV turned off."), Trouble::By::hands,
     N_("Turn on SR-IOV in the machine's firmware and in the card's, then reboot")},
    {"connected-impossible", N_("{value}"),
     N_("Enhanced IPoIB (ConnectX-4 and later) has datagram mode only, with an MTU of at most 4092. A quirk or the "
        "driver can also refuse connected mode. NetworkManager in the initramfs has no plugin and fails there."),
     Trouble::By::fix, "", "nm-ib connection modify uuid {uuid} infiniband.transport-mode datagram",
     Trouble::Kind::Of::property},
    {"no-mode-file", N_("{value}"),
     N_("NetworkManager writes the mode of each InfiniBand interface that it activates."), Trouble::By::hands,
     N_("Delete a child that was made with ip link. Otherwise, use a kernel with CONFIG_INFINIBAND_IPOIB_CM")},
    {"mtu-limited", N_("{value}"),
     N_("In datagram mode the broadcast group of the partition limits the MTU. The subnet manager makes this group."),
     Trouble::By::hands,
     N_("Up to 4092: in partitions.conf of the subnet manager, mtu=5 (4096 bytes) at the "
        "partition. More: connected mode, if the port supports it. Otherwise lower the MTU of the profile")},
    {"profile-in-wrong-partition", N_("{value}"),
     N_("The traffic of the profile would go to another partition than the profile names."), Trouble::By::hands,
     N_("To see what an activation would do"), "nm-ib plan {uuid}"},
    {"pkey-taken", N_("{value}"), N_("The kernel makes one interface for each P_Key of a port."), Trouble::By::hands,
     N_("Use the existing interface, or delete it")},
    {"profile-for-other-port", N_("{value}"),
     N_("NetworkManager compares the port's GUID in the address, and never activates the profile here."),
     Trouble::By::command, "", "nm-ib connection modify uuid {uuid} infiniband.mac-address ''",
     Trouble::Kind::Of::property},
    {"not-carried", N_("{value}"), N_("The profile cannot be activated."), Trouble::By::hands,
     N_("For a network of its own: a P_Key child (nm-ib connection add type infiniband p-key KEY). For a virtual "
        "machine "
        "or a container: a virtual function, or a RoCE port")},
    {"parent-name-long", N_("{value}"), N_("The child cannot be made under a name that NetworkManager finds."),
     Trouble::By::hands, N_("Give the port a shorter name (nm-ib name set)")},
    {"quirk-unread", N_("{value}"),
     N_("Some cards corrupt large packets that they cut themselves, and nm-ib does not know whether this card does."),
     Trouble::By::hands, N_("Correct the read error, then apply the profile again"),
     "nm-ib plan {where}\nnmcli device reapply {where}"},
    {"quirk-refused", N_("{value}"), N_("A quirk turns this offload off; the file of the quirk has the reason."),
     Trouble::By::hands, N_("Take the setting out of the profile"), "", Trouble::Kind::Of::property},
};

/// The kind for a finding of the plan that no lower layer reports.
const Trouble::Kind *kind_of(Code code)
{
    switch (code) {
    case Code::connected_impossible:
    case Code::connected_refused:
    case Code::connected_fails: return find_kind(kinds, "connected-impossible");
    case Code::no_mode_file: return find_kind(kinds, "no-mode-file");
    case Code::mtu_limited: return find_kind(kinds, "mtu-limited");
    case Code::wrong_partition:
    case Code::partition_unasked: return find_kind(kinds, "profile-in-wrong-partition");
    case Code::pkey_taken: return find_kind(kinds, "pkey-taken");
    case Code::other_port: return find_kind(kinds, "profile-for-other-port");
    case Code::not_carried: return find_kind(kinds, "not-carried");
    case Code::parent_name_long: return find_kind(kinds, "parent-name-long");
    case Code::quirk_unread: return find_kind(kinds, "quirk-unread");
    case Code::quirk_refused: return find_kind(kinds, "quirk-refused");
    default: return nullptr;
    }
}

std::pair<const RdmaDevice *, const RdmaPort *> port_of(const Host &host, const std::string &interface)
{
    for (const auto &device : host.devices)
        for (const auto &port : device.ports)
            for (const auto &n : port.interfaces)
                if (n.name.str() == interface) return {&device, &port};
    return {};
}

/// The command that makes a port InfiniBand. mlx5 has a PCI function for each port, mlx4 one function with two ports.
CommandLine link_type(const RdmaDevice &device, const RdmaPort &port)
{
    const auto &bus = device.physical_function ? *device.physical_function : device.bus;
    const auto function =
        bus.empty() ? 0U : static_cast<unsigned>(parse_hex(bus.substr(bus.size() - 1), 7).value_or(0));
    return {"mlxconfig", "-d", bus, "set", "LINK_TYPE_P" + std::to_string(function + port.number) + "=1"};
}

/// Returns true if the port lacks the key, but has the key with the same digits in hexadecimal.
bool looks_decimal(const RdmaPort &port, std::uint16_t key)
{
    if (!port.pkeys) return false;
    const auto has = [&](std::uint64_t k) {
        const auto wanted = PKey::from(static_cast<std::uint32_t>(k));
        return wanted && std::any_of(port.pkeys->begin(), port.pkeys->end(),
                                     [&](const PKeyEntry &e) { return e.key.has_partition_of(*wanted); });
    };
    const auto meant = parse_hex(std::to_string(key), 0xffff);
    return meant && has(*meant) && !has(key);
}

std::set<std::string> names_at_next_boot(const Host &host)
{
    std::set<std::string> names;
    if (host.naming)
        for (const auto &state : name_states(*host.naming))
            if (state.code == NameState::Code::next_boot) names.emplace(state.name.view());
    return names;
}

void judge_target(const Host &host, const ProfileState &p, const std::set<std::string> &coming,
                  std::vector<Trouble> &all)
{
    using Type = ProfileState::Type;
    using Target = ProfileState::Target;
    const auto [device, port] = port_of(host, p.interface);
    Trouble t{.where = p.interface, .subject = p.id, .uuid = p.uuid, .generator = generator_of(p.file)};
    const auto add = [&](const Trouble::Kind *kind, Severity severity, std::string value = {},
                         CommandLine command = {}) {
        t.commands.reset();
        if (!command.empty()) t.commands = {std::move(command)};
        t.kind = kind, t.severity = severity, t.value = std::move(value);
        all.push_back(t);
    };
    if (p.type == Type::infiniband && p.target == Target::none && (p.autoconnect || host.named) && host.has_device &&
        !coming.contains(p.interface))
        add(find_kind(kinds, "profile-without-interface"), Severity::warning);
    if (p.type == Type::infiniband && p.target == Target::rdma_ethernet)
        add(find_kind(kinds, "infiniband-profile-on-ethernet"), Severity::error, {},
            device ? link_type(*device, *port) : CommandLine{});
    if (p.type == Type::ethernet && p.target == Target::ipoib)
        add(find_kind(kinds, "ethernet-profile-on-infiniband"), Severity::error);
    if (p.target == Target::ipoib && !p.bond_mode.empty() && p.bond_mode != "active-backup" && p.bond_mode != "1")
        add(find_kind(kinds, "bond-not-active-backup"), Severity::error, p.bond_mode,
            {"nmcli", "connection", "modify", "uuid", p.bond_uuid, "bond.options", "mode=active-backup,miimon=100"});
    if (p.vfs != 0 && device &&
        ((device->max_vfs && *device->max_vfs == 0) || (!device->max_vfs && !device->max_vfs.failed())))
        add(find_kind(kinds, "vfs-impossible"), Severity::error, std::to_string(p.vfs),
            {"mlxconfig", "-d", device->bus, "set", "SRIOV_EN=1", "NUM_OF_VFS=" + std::to_string(p.vfs)});
    if (p.type == Type::infiniband && p.p_key && port && looks_decimal(*port, *p.p_key))
        add(find_kind(kinds, "pkey-looks-decimal"), Severity::error, std::to_string(*p.p_key));
}
/// PCI slots with InfiniBand ports. The two ports of one card have a fixed order.
std::size_t cards_of(const Host &host)
{
    std::set<std::string> cards;
    for (const auto *all : {&host.devices, &host.others})
        for (const auto &device : *all)
            for (const auto &port : device.ports)
                if (port.layer && *port.layer == LinkLayer::infiniband && !device.is_fabric_managed &&
                    !device.is_virtual())
                    cards.insert(device.bus.empty() ? device.name : device.bus.substr(0, device.bus.find('.')));
    return cards.size();
}

/// The names of ports that will hold at the next boot.
bool has_stable_name(const Host &host, const std::string &name)
{
    if (!host.naming) return false;
    const auto states = name_states(*host.naming);
    return std::any_of(states.begin(), states.end(),
                       [&](const NameState &s) { return s.name.view() == name && s.holds(); });
}

void judge_children(const Host &host, const RdmaPort &port, std::vector<Trouble> &all)
{
    for (const auto &n : port.interfaces) {
        if (!n.infiniband || !n.parent || !n.pkey) continue;
        const auto own = port.interfaces.front().name.str();
        const bool has_profile = host.wanted.contains(n.name.str()) ||
                                 std::any_of(host.profiles.begin(), host.profiles.end(), [&](const ProfileState &p) {
                                     if (p.type != ProfileState::Type::infiniband) return false;
                                     const auto key = p.p_key ? PKey::from(*p.p_key) : std::nullopt;
                                     return p.interface == n.name.view() || p.interface.empty() ||
                                            (p.interface == own && key && key->has_partition_of(*n.pkey));
                                 });
        if (!has_profile && !host.services.networkd.contains(n.name.str()))
            all.push_back({.kind = find_kind(kinds, "child-without-profile"),
                           .severity = Severity::note,
                           .where = n.name.str(),
                           .value = n.pkey->str()});
    }
}

void judge_names(const RdmaPort &port, std::vector<Trouble> &all)
{
    for (const auto &n : port.interfaces) {
        const auto name = n.name.view();
        const bool like_ib = name.starts_with("ib"), like_ethernet = name.starts_with("eth") || name.starts_with("en");
        if (n.parent || (n.infiniband ? !like_ethernet : !like_ib)) continue;
        all.push_back({.kind = find_kind(kinds, "name-misleads"),
                       .severity = Severity::note,
                       .where = n.name.str(),
                       .value = n.infiniband ? "InfiniBand" : "Ethernet"});
    }
}

void judge_activation(const Host &host, const ProfileState &p, std::vector<Trouble> &all)
{
    Trouble t{.where = p.interface, .subject = p.id, .uuid = p.uuid, .generator = generator_of(p.file)};
    const auto [device, port] = port_of(host, p.interface);
    if (p.type == ProfileState::Type::infiniband && device && device->is_fabric_managed) {
        t.kind = find_kind(kinds, "nvswitch-profile");
        all.push_back(t);
    } else if (!p.failure.empty()) {
        t.kind = find_kind(kinds, "activation-failed"), t.value = p.failure;
        if (!p.client_id.empty()) {
            t.kind = find_kind(kinds, "no-dhcp-answer");
            t.sentence = [id = p.client_id, six = p.six_bytes](Translate translate) {
                return message(translate,
                               N_("this port sends {id} by default; programs that shorten this to 6 bytes show {six}"),
                               fmt::arg("id", id), fmt::arg("six", six));
            };
        }
        all.push_back(t);
    }
}

void judge_kernel_names(const Host &host, const std::set<std::string> &blamed, std::vector<Trouble> &all)
{
    std::set<std::string> interfaces;
    std::string profiles, where;
    for (const auto &p : host.profiles)
        if (p.target == ProfileState::Target::ipoib && p.by_name && fault(p.interface) == NameFault::kernel_like &&
            !has_stable_name(host, p.interface) && !blamed.contains(p.interface)) {
            interfaces.insert(p.interface);
            profiles += (profiles.empty() ? "'" : ", '") + p.id + "' (" + p.interface + ")";
        }
    if (interfaces.empty() || cards_of(host) < 2) return;
    for (const auto &name : interfaces) where += (where.empty() ? "" : " ") + name;
    all.push_back(
        {.kind = find_kind(kinds, "kernel-name"), .severity = Severity::note, .where = where, .value = profiles});
}
} // namespace

const std::span<const Trouble::Kind> profile_kinds = kinds;

std::vector<Trouble> profile(const Host &host, const std::set<std::string> &blamed)
{
    std::vector<Trouble> all;
    const auto coming = names_at_next_boot(host);
    for (const auto &p : host.profiles) {
        const auto before = all.size();
        judge_target(host, p, coming, all);
        if (all.size() != before || blamed.contains(p.interface)) continue;
        for (const auto &finding : p.findings) {
            const auto *kind = kind_of(finding.code);
            if (!kind || finding.severity < Severity::warning) continue;
            all.push_back({.kind = kind,
                           .severity = finding.severity,
                           .where = finding.link.str(),
                           .subject = p.id,
                           .uuid = p.uuid,
                           .sentence = [finding](Translate translate) { return text(finding, translate); },
                           .generator = generator_of(p.file)});
        }
    }
    for (const auto &p : host.profiles)
        if (!blamed.contains(p.interface)) judge_activation(host, p, all);
    judge_kernel_names(host, blamed, all);
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) {
            if (host.has_daemon && !host.named) judge_children(host, port, all);
            if (!device.is_fabric_managed) judge_names(port, all);
        }
    return all;
}

} // namespace nmib::layer
