// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// The interfaces of a port that are up without a carrier.
std::vector<std::string> waiting(const RdmaPort &port)
{
    std::vector<std::string> names;
    for (const auto &n : port.interfaces)
        if (n.up && !n.carrier) names.push_back(n.name.str());
    return names;
}

/// The fault of the port itself, in the lowest layer that has one.
std::optional<Trouble> of_port(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    auto trouble = layer::link(host, device, port);
    return trouble ? trouble : layer::subnet(host, device, port);
}

void judge(const Host &host, const RdmaDevice &device, const RdmaPort &port, std::vector<Trouble> &all)
{
    if (!port.layer || *port.layer != LinkLayer::infiniband || device.is_fabric_managed) return;
    if (auto trouble = of_port(host, device, port)) {
        const auto interfaces = waiting(port);
        auto same = std::find_if(all.begin(), all.end(), [&](const Trouble &other) {
            return other.kind == trouble->kind && other.where == trouble->where; // of another function of the card
        });
        if (same == all.end()) same = all.insert(same, std::move(*trouble));
        same->consequences.insert(same->consequences.end(), interfaces.begin(), interfaces.end());
        return;
    }
    if (port.state && *port.state != PortState::active) return; // down, but not wanted
    for (const auto &n : port.interfaces)
        for (auto &trouble : layer::partition(host, device, port, n)) all.push_back(std::move(trouble));
}
} // namespace

Trouble layer::about(const Host &host, const RdmaDevice &device, const RdmaPort &port)
{
    return {.severity = host.wants(port) ? Severity::error : Severity::warning,
            .where = device.label(port),
            .hca = device.name,
            .port = std::to_string(port.number)};
}

std::vector<Trouble> diagnose(const Host &host)
{
    auto all = layer::module(host);
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) judge(host, device, port, all);
    std::set<std::string> blamed;
    for (const auto &trouble : all) {
        blamed.insert(trouble.where);
        blamed.insert(trouble.consequences.begin(), trouble.consequences.end());
    }
    for (auto &layer :
         {layer::managers(host), layer::link_quality(host), layer::verbs(host), layer::profile(host, blamed),
          layer::file(host), layer::route(host), layer::kernel(host), layer::service(host), layer::storage(host)})
        all.insert(all.end(), layer.begin(), layer.end());
    sort(all);
    return all;
}

void sort(std::vector<Trouble> &all)
{
    std::stable_sort(all.begin(), all.end(),
                     [](const Trouble &a, const Trouble &b) { return a.severity > b.severity; });
}

bool is_healthy(std::span<const Trouble> all)
{
    return std::all_of(all.begin(), all.end(), [](const Trouble &t) { return t.severity == Severity::note; });
}

std::vector<const Kind *> trouble_kinds()
{
    std::vector<const Kind *> all;
    for (const auto &kinds : catalogue::all)
        for (const auto &kind : kinds)
            if (*kind.why != '\0' && kinds.data() != catalogue::merge_kinds) all.push_back(&kind);
    return all;
}

} // namespace nmib
