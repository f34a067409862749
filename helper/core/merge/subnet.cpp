// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/merge.hpp"

#include <algorithm>
#include <set>

namespace nmib::merging
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"sm-differs", N_("ports with the subnet prefix {where} have different subnet managers: SM LID {value}"),
     N_("Two in one subnet that do not know of each other give out LIDs and P_Keys against each other. Or these are "
        "separate fabrics with one prefix, which no program can tell apart."),
     Trouble::By::hands,
     N_("Ask on a host of each: sminfo; then stop one of two in one fabric, or give each fabric its own subnet_prefix "
        "in opensm.conf")},
    {"subnets-alike", N_("several fabrics have the subnet prefix {where}: {value} have one LID"),
     N_("Nothing tells which port is in which of them, so MTU and mode of their partitions were not compared; "
        "programs that use several ports have the same difficulty."),
     Trouble::By::hands, N_("Give each fabric its own subnet_prefix in the opensm.conf of its subnet manager")},
    {"port-mtu-differs", N_("ports of the subnet {where} have different InfiniBand MTUs: {value}"),
     N_("A program that sets up its queue pairs without asking for the path takes its own port's MTU: the transfer "
        "hangs, or ends with a local length error."),
     Trouble::By::hands,
     N_("Look at the larger ones: nm-ib port show PORT; the card or the switch at the other end allows no more, or is "
        "set to less")},
};

Names hosts_of(const Subnet &subnet)
{
    Names hosts;
    for (const auto &p : subnet.ports) add_name(hosts, p.host);
    return hosts;
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

/// Those with the default prefix that may be parts of one fabric, the largest first.
std::vector<const Subnet *> parts_of_one(const Fabric &fabric)
{
    std::vector<const Subnet *> parts;
    for (const auto &subnet : fabric.subnets())
        if (subnet.prefix == default_prefix && !subnet.alike) parts.push_back(&subnet);
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Subnet *a, const Subnet *b) { return a->ports.size() > b->ports.size(); });
    if (!parts.empty())
        parts.erase(std::remove_if(parts.begin() + 1, parts.end(),
                                   [&](const Subnet *other) { return is_apart(*parts.front(), *other); }),
                    parts.end());
    return parts;
}

void compare_managers(const Fabric &fabric, std::uint64_t prefix, const std::vector<const Subnet *> &subnets,
                      std::vector<Trouble> &all)
{
    Differing managers;
    for (const auto *subnet : subnets)
        for (const auto &p : subnet->ports) managers.add(std::to_string(*p.port->sm_lid), p.host);
    if (managers.between_hosts())
        all.push_back({.kind = &kinds[0],
                       .severity = Trouble::Severity::warning,
                       .where = hex(prefix, 16),
                       .value = managers.text(fabric.translate()),
                       .hosts = managers.odd()});
}
} // namespace

const std::span<const Trouble::Kind> subnet_kinds = kinds;

std::vector<Trouble> subnet(const Fabric &fabric)
{
    std::vector<Trouble> all;
    compare_managers(fabric, default_prefix, parts_of_one(fabric), all);
    for (const auto &subnet : fabric.subnets()) {
        const bool own_prefix = subnet.prefix != default_prefix;
        if (own_prefix) compare_managers(fabric, subnet.prefix, {&subnet}, all);
        if (subnet.alike) {
            const auto &[one, other] = *subnet.alike;
            // Separate fabrics that both keep the default are common, and work.
            all.push_back({.kind = &kinds[1],
                           .severity = own_prefix ? Trouble::Severity::warning : Trouble::Severity::info,
                           .where = subnet.str(),
                           .value = one.str() + ", " + other.str(),
                           .hosts = hosts_of(subnet)});
            continue;
        }
        Differing mtus;
        for (const auto &p : subnet.ports)
            if (p.port->mtu) mtus.add(std::to_string(p.port->mtu->active), p.host);
        if (mtus.between_hosts())
            all.push_back({.kind = &kinds[2],
                           .severity = Trouble::Severity::warning,
                           .where = subnet.str(),
                           .value = mtus.text(fabric.translate()),
                           .hosts = mtus.odd()});
    }
    return all;
}

} // namespace nmib::merging
