// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
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

std::optional<Trouble> judge_key(const RdmaDevice &device, const RdmaPort &port, const PortNetdev &n)
{
    if (!n.pkey || !port.pkeys) return {};
    const auto holds = [&](const PKeyEntry &e) { return e.key.has_partition_of(*n.pkey); };
    const auto is_full = [&](const PKeyEntry &e) { return holds(e) && e.key.full_member(); };
    if (std::any_of(port.pkeys->begin(), port.pkeys->end(), is_full)) return {};
    const bool is_limited = std::any_of(port.pkeys->begin(), port.pkeys->end(), holds);
    return Trouble{.kind = is_limited ? find_kind("pkey-limited") : find_kind("pkey-not-in-table"),
                   .severity = is_limited ? Severity::warning : Severity::error,
                   .where = n.name.str(),
                   .hca = device.name,
                   .port = std::to_string(port.number),
                   .values = {{"key", n.pkey->str()}}};
}

} // namespace

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
        t.kind = find_kind("subnet-manager-lost");
        t.severity = Severity::warning;
    } else if (*port.sm_lid != 0) {
        t.kind = find_kind("port-not-active");
    } else {
        t.kind = is_function || has_active_card(host, device) ? find_kind("vf-without-subnet-manager")
                                                              : find_kind("no-subnet-manager");
        if (t.kind != find_kind("no-subnet-manager")) return t;
        t.commands = start_opensm(host, port);
        if (auto others = managed_here(host); !others.empty() && !t.commands->empty())
            t.kind = find_kind("subnet-manager-on-other-port"), t.value = std::move(others);
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
            t.kind = find_kind("two-subnet-managers");
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
    if (auto key = judge_key(device, port, n)) all.push_back(std::move(*key));
    const bool may_join = all.empty() || all[0].severity != Severity::error;
    if (may_join && n.infiniband && n.up && !n.carrier)
        all.push_back({.kind = find_kind("no-broadcast-group"),
                       .severity = host.wants(n) ? Severity::error : Severity::warning,
                       .where = n.name.str(),
                       .hca = device.name,
                       .port = std::to_string(port.number)});
    return all;
}

} // namespace nmib::layer
