// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/text.hpp"
#include "core/doctor/diagnose.hpp"
#include "core/name/naming_world.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
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
    const auto add = [&](const Kind *kind, Severity severity, std::string value = {}, CommandLine command = {}) {
        t.commands.reset();
        if (!command.empty()) t.commands = {std::move(command)};
        t.kind = kind, t.severity = severity, t.value = std::move(value);
        all.push_back(t);
    };
    if (p.type == Type::infiniband && p.target == Target::none && (p.autoconnect || host.named) && host.has_device &&
        !coming.contains(p.interface))
        add(find_kind("profile-without-interface"), Severity::warning);
    if (p.type == Type::infiniband && p.target == Target::rdma_ethernet)
        add(find_kind("infiniband-profile-on-ethernet"), Severity::error, {},
            device ? link_type(*device, *port) : CommandLine{});
    if (p.type == Type::ethernet && p.target == Target::ipoib)
        add(find_kind("ethernet-profile-on-infiniband"), Severity::error);
    if (p.target == Target::ipoib && !p.bond_mode.empty() && p.bond_mode != "active-backup" && p.bond_mode != "1")
        add(find_kind("bond-not-active-backup"), Severity::error, p.bond_mode,
            {"nmcli", "connection", "modify", "uuid", p.bond_uuid, "bond.options", "mode=active-backup,miimon=100"});
    if (p.vfs != 0 && device &&
        ((device->max_vfs && *device->max_vfs == 0) || (!device->max_vfs && !device->max_vfs.failed())))
        add(find_kind("vfs-impossible"), Severity::error, std::to_string(p.vfs),
            {"mlxconfig", "-d", device->bus, "set", "SRIOV_EN=1", "NUM_OF_VFS=" + std::to_string(p.vfs)});
    if (p.type == Type::infiniband && p.p_key && port && looks_decimal(*port, *p.p_key))
        add(find_kind("pkey-looks-decimal"), Severity::error, std::to_string(*p.p_key));
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
            all.push_back({.kind = find_kind("child-without-profile"),
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
        all.push_back({.kind = find_kind("name-misleads"),
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
        t.kind = find_kind("nvswitch-profile");
        all.push_back(t);
    } else if (!p.failure.empty()) {
        t.kind = find_kind("activation-failed"), t.value = p.failure;
        if (!p.client_id.empty()) {
            t.kind = find_kind("no-dhcp-answer");
            t.values = {{"id", p.client_id}, {"six", p.six_bytes}};
        }
        all.push_back(t);
    }
}

/// Returns true if doctor has no reason for the finding, or reports it for the port.
bool is_of_lower_layer(const Finding &finding)
{
    return *finding.kind->why == '\0' || finding.kind == find_kind("no-subnet-manager") ||
           finding.kind == find_kind("pkey-not-in-table") || finding.kind == find_kind("pkey-limited");
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
    all.push_back({.kind = find_kind("kernel-name"), .severity = Severity::note, .where = where, .value = profiles});
}
} // namespace

std::vector<Trouble> profile(const Host &host, const std::set<std::string> &blamed)
{
    std::vector<Trouble> all;
    const auto coming = names_at_next_boot(host);
    for (const auto &p : host.profiles) {
        const auto before = all.size();
        judge_target(host, p, coming, all);
        if (all.size() != before || blamed.contains(p.interface)) continue;
        for (const auto &finding : p.findings) {
            if (is_of_lower_layer(finding) || finding.severity < Severity::warning) continue;
            all.push_back({.kind = finding.kind,
                           .severity = finding.severity,
                           .where = finding.link.str(),
                           .subject = p.id,
                           .uuid = p.uuid,
                           .values = finding.values,
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
