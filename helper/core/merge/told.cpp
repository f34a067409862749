// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/merge.hpp"

#include <algorithm>

namespace nmib::merging
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"host-finding", N_("found by the hosts themselves: {where}: {value}; the first says: {subject}"),
     N_("This was in their own reports, and is told once for all of them."), Trouble::By::hands,
     N_("On each of them: nm-ib doctor")},
};
} // namespace

const std::span<const Trouble::Kind> told_kinds = kinds;

std::vector<Trouble> told(const Fabric &fabric)
{
    struct Told {
        Names places{}, hosts{};
        const HostReport::Found *first = nullptr;
        Trouble::Severity severity = Trouble::Severity::info;
    };
    std::map<std::string, Told> of_id;
    for (const auto &report : fabric.reports())
        for (const auto &found : report.findings) {
            auto &told = of_id[found.id];
            if (!told.first) told.first = &found;
            add_name(told.places, report.host + (found.where.empty() ? "" : " " + found.where));
            add_name(told.hosts, report.host);
            told.severity = std::max(told.severity, found.severity);
        }
    std::vector<Trouble> all;
    all.reserve(of_id.size());
    for (const auto &[id, told] : of_id)
        all.push_back({.kind = &kinds[0],
                       .severity = told.severity,
                       .where = id,
                       .subject = told.first->seen,
                       .value = listed(told.places, fabric.translate()),
                       .hosts = told.hosts});
    return all;
}

} // namespace nmib::merging
