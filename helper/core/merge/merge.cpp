// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/merge.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace nmib
{

namespace
{
std::set<Guid> guids_of(const HostReport &report)
{
    std::set<Guid> all;
    for (const auto &device : report.devices) {
        if (device.node_guid) all.insert(*device.node_guid);
        for (const auto &port : device.ports)
            if (port.guid) all.insert(*port.guid);
    }
    all.erase(Guid{});
    return all;
}

/// Two files of one machine, taken at two times; else two machines that have one name.
bool is_same_machine(const HostReport &a, const HostReport &b)
{
    const auto one = guids_of(a), other = guids_of(b);
    return one.empty() || other.empty() ||
           std::any_of(one.begin(), one.end(), [&](Guid guid) { return other.contains(guid); });
}

std::vector<HostReport> last_of_each(std::vector<HostReport> reports)
{
    std::vector<HostReport> kept;
    std::map<std::pair<std::string, bool>, std::vector<std::size_t>> of_name;
    for (auto &report : reports) {
        auto &earlier = of_name[{report.host, report.has_ports}];
        const auto same = std::find_if(earlier.begin(), earlier.end(),
                                       [&](std::size_t at) { return is_same_machine(kept[at], report); });
        if (same != earlier.end()) {
            kept[*same] = std::move(report);
            continue;
        }
        earlier.push_back(kept.size());
        kept.push_back(std::move(report));
    }
    return kept;
}
} // namespace

Merged merge(std::vector<HostReport> reports, Translate translate)
{
    const auto kept = last_of_each(std::move(reports));
    const merging::Fabric fabric(kept, translate);
    Merged merged{.hosts = fabric.hosts(), .ports = fabric.ports().size()};
    for (const auto find :
         {merging::identity, merging::subnet, merging::partition, merging::card, merging::roce, merging::told})
        for (auto &trouble : find(fabric)) merged.troubles.push_back(std::move(trouble));
    std::stable_sort(merged.troubles.begin(), merged.troubles.end(),
                     [](const Trouble &a, const Trouble &b) { return a.severity > b.severity; });
    return merged;
}

std::vector<const Trouble::Kind *> merge_kinds()
{
    using namespace merging;
    std::vector<const Trouble::Kind *> all;
    for (const auto &kinds : {identity_kinds, subnet_kinds, partition_kinds, card_kinds, roce_kinds, told_kinds})
        for (const auto &kind : kinds) all.push_back(&kind);
    return all;
}

} // namespace nmib
