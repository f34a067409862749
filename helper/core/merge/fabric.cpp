// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/subnet.hpp"

#include <set>

namespace nmib::merging
{

namespace
{
/// A port that a subnet manager has set up: what it tells of the subnet is true.
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
} // namespace

std::string Subnet::str() const
{
    return hex(prefix, 16) + (prefix == default_prefix ? " (SM LID " + std::to_string(sm_lid) + ")" : "");
}

Fabric::Fabric(const std::vector<HostReport> &reports, Translate catalogue) : reports_(&reports), translate_(catalogue)
{
    std::map<std::string, Names> files;
    std::set<std::string> names;
    for (const auto &report : reports) {
        names.insert(report.host);
        if (report.has_ports) files[report.host].push_back(report.file);
    }
    hosts_ = names.size();
    for (auto &[host, its] : files)
        if (its.size() > 1) hosts_ += its.size() - 1, shared_names_.emplace(host, std::move(its));

    std::map<std::pair<std::uint64_t, unsigned>, Subnet> subnets;
    for (const auto &report : reports)
        for (const auto &device : report.devices)
            for (const auto &port : device.ports) {
                ports_.push_back({name(report), &device, &port});
                if (!is_in_subnet(port)) continue;
                const auto prefix = *subnet_prefix(port);
                auto &subnet = subnets[{prefix, prefix == default_prefix ? *port.sm_lid : 0}];
                if (subnet.ports.empty()) subnet.prefix = prefix, subnet.sm_lid = *port.sm_lid;
                subnet.ports.push_back(ports_.back());
            }
    for (auto &[key, subnet] : subnets) {
        subnet.alike = with_one_lid(subnet.ports);
        subnets_.push_back(std::move(subnet));
    }
}

std::string Fabric::name(const HostReport &report) const
{
    return report.has_ports && shared_names_.contains(report.host) ? report.host + " (" + report.file + ")"
                                                                   : report.host;
}

} // namespace nmib::merging
