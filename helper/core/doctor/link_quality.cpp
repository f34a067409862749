// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"
#include "core/ib/counters.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
constexpr std::int64_t hour = 3600;

/// Ports have at most four lanes in use; some cards announce more.
PortLink least(const PortLink &a, const PortLink &b)
{
    return {std::min({a.lanes, b.lanes, 4U}), std::min(a.speed, b.speed)};
}

/// Two lanes are normal: HDR100, NDR200, and cables that split a switch port. One lane is not.
std::optional<Trouble> judge_link(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    if (!port.phys_state || *port.phys_state != PhysState::link_up) return {};
    auto t = about(host, device, port);
    t.severity = Severity::warning;
    auto active = port.info ? port.info->active : PortLink{};
    // sysfs has FDR10, which PortInfo calls QDR.
    if (const auto shown = port.rate ? PortLink::parse(port.rate->lanes) : std::nullopt; shown && *shown != active)
        active = {active.lanes ? active.lanes : shown->lanes, std::max(active.speed, shown->speed)};
    t.value = active.str();
    const auto possible = port.info && port.peer ? least(port.info->supported, port.peer->supported) : PortLink{4};
    const auto enabled = port.info && port.peer ? least(port.info->enabled, port.peer->enabled) : possible;
    t.subject = possible.str();
    const bool is_narrow = active.lanes == 1 && possible.lanes > 1, is_slow = active.speed < possible.speed;
    if (!active.lanes || (!is_narrow && !is_slow)) return {};
    t.kind = is_narrow ? find_kind("link-narrow") : find_kind("link-slow");
    if (port.peer && active.lanes >= enabled.lanes && active.speed >= enabled.speed) {
        t.kind = find_kind("link-limited");
        t.severity = Severity::note;
    }
    return t;
}

std::optional<Trouble> judge_pci(const RdmaDevice &device, std::set<std::string> &reported)
{
    const auto narrow = narrow_link(device.pci_path);
    if (!narrow) return {};
    const auto &address = narrow->lower->address; // the functions of a card, and the cards below a bridge, share a link
    if (!reported.insert(address.substr(0, address.rfind('.'))).second) return {};
    return Trouble{.kind = find_kind("pci-link-narrow"),
                   .severity = Severity::warning,
                   .where = device.name,
                   .subject = narrow->lower->address,
                   .values = {{"current", narrow->lower->current.str()}, {"possible", narrow->possible.str()}}};
}

/// Returns true for the largest value of a counter of 8, 16, 32 or 64 bits (16.1.3.5).
bool is_full(const std::string &counter, std::uint64_t value)
{
    const bool is_short = counter == link_downed || counter == "link_error_recovery";
    return value == (is_short ? 0xffU : 0xffffU) || value == UINT32_MAX || value == UINT64_MAX;
}

std::vector<Trouble> judge_counters(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    std::vector<Trouble> all;
    const auto add = [&](const Kind *kind) -> Trouble & {
        auto &t = all.emplace_back(about(host, device, port));
        t.kind = kind, t.severity = Severity::warning;
        return t;
    };
    const auto risen = [&](const std::string &counter, std::int64_t hours, bool calm) {
        return rise(host.counters, counters_key(device, port), counter, hours * hour, calm).value_or(0);
    };
    const auto within = [](std::uint64_t count, const char *hours) {
        return std::vector<Message::Value>{{"count", std::to_string(count)}, {"hours", std::string(hours)}};
    };
    for (const std::string counter : error_counters)
        if (const auto count = risen(counter, 12, true); counter != link_downed && count >= 10) {
            auto &t = add(find_kind("link-errors"));
            t.values = within(count, "12");
            t.values.emplace_back("counter", counter);
        }
    if (const auto half_day = risen(link_downed, 12, false), day = risen(link_downed, 24, false);
        half_day >= 3 || day >= 5) {
        auto &t = add(find_kind("link-flaps"));
        t.subject = device.bus.empty() ? device.name : device.bus; // lines of drivers begin with the address
        t.values = half_day >= 3 ? within(half_day, "12") : within(day, "24");
    }
    std::string full;
    for (const auto &[counter, value] : port.counters)
        if (is_full(counter, value)) full += (full.empty() ? "" : ", ") + counter + " " + std::to_string(value);
    if (!full.empty()) add(find_kind("counters-full")).value = full;
    return all;
}
} // namespace

std::vector<Trouble> link_quality(const Host &host)
{
    std::vector<Trouble> all;
    std::set<std::string> reported;
    for (const auto &device : host.devices) {
        if (device.is_fabric_managed || device.is_virtual()) continue;
        if (auto t = judge_pci(device, reported)) all.push_back(std::move(*t));
        for (const auto &port : device.ports) {
            if (!port.layer || *port.layer != LinkLayer::infiniband) continue;
            if (auto t = judge_link(host, device, port)) all.push_back(std::move(*t));
            for (auto &t : judge_counters(host, device, port)) all.push_back(std::move(t));
        }
    }
    return all;
}

} // namespace nmib::layer
