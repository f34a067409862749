// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/merge_subnet.hpp"

#include "core/base/number.hpp"

#include <algorithm>
#include <set>

namespace nmib::merging
{

namespace
{
/// A port that a subnet manager has set up: its values for the subnet are true.
bool is_in_subnet(const RdmaPort &port)
{
    return port.layer && *port.layer == LinkLayer::infiniband && port.state && *port.state == PortState::active &&
           port.sm_lid && *port.sm_lid != 0 && subnet_prefix(port);
}

/// A function of a card, given to a virtual machine, has the LID of the card's own port, and its system GUID.
bool is_other_card(const PortOf &a, const PortOf &b)
{
    const auto &one = a.device->system_guid, &other = b.device->system_guid;
    return a.host != b.host && one && other && *one != *other;
}

std::optional<std::pair<PortOf, PortOf>> with_one_lid(const std::vector<PortOf> &ports)
{
    std::map<unsigned, const PortOf *> of_lid;
    for (const auto &p : ports) {
        if (!p.port->lid || *p.port->lid == 0 || *p.port->lid >= 0xc000) continue; // none, or not of one port
        const auto [first, is_new] = of_lid.emplace(*p.port->lid, &p);
        if (!is_new && is_other_card(*first->second, p)) return std::pair(*first->second, p);
    }
    return {};
}

/// Surely another fabric: a LID that both have, or a host that is in both, as one with two rails is.
bool is_apart(const Subnet &one, const Subnet &other)
{
    std::set<std::string> hosts;
    std::set<unsigned> lids;
    for (const auto &p : one.ports) {
        hosts.insert(p.host);
        if (p.port->lid) lids.insert(*p.port->lid);
    }
    return std::any_of(other.ports.begin(), other.ports.end(), [&](const PortOf &p) {
        return hosts.contains(p.host) || (p.port->lid && lids.contains(*p.port->lid));
    });
}
} // namespace

std::string Subnet::str() const
{
    return hex(prefix, 16) + (prefix == default_prefix ? " (SM LID " + std::to_string(sm_lid) + ")" : "");
}

std::vector<Subnet> subnets_of(const std::vector<PortOf> &ports)
{
    std::map<std::pair<std::uint64_t, unsigned>, Subnet> subnets;
    for (const auto &p : ports) {
        if (!is_in_subnet(*p.port)) continue;
        const auto prefix = *subnet_prefix(*p.port);
        auto &subnet = subnets[{prefix, prefix == default_prefix ? *p.port->sm_lid : 0}];
        if (subnet.ports.empty()) subnet.prefix = prefix, subnet.sm_lid = *p.port->sm_lid;
        subnet.ports.push_back(p);
    }
    std::vector<Subnet> all;
    for (auto &[key, subnet] : subnets) {
        subnet.alike = with_one_lid(subnet.ports);
        all.push_back(std::move(subnet));
    }
    return all;
}

std::vector<const Subnet *> with_one_manager(const std::vector<Subnet> &subnets)
{
    const Subnet *largest = nullptr;
    const auto may_be_part = [](const Subnet &s) { return s.prefix == default_prefix && !s.alike; };
    for (const auto &s : subnets)
        if (may_be_part(s) && (!largest || s.ports.size() > largest->ports.size())) largest = &s;
    std::vector<const Subnet *> all;
    for (const auto &s : subnets)
        if (s.prefix != default_prefix || &s == largest || (may_be_part(s) && !is_apart(*largest, s)))
            all.push_back(&s);
    return all;
}

} // namespace nmib::merging
