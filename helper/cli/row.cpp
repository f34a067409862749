// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/row.hpp"

#include "cli/base/gobject.hpp"
#include "cli/rows.hpp"

#include <algorithm>

namespace nmib::cli
{

std::vector<const Row *> Group::rows() const
{
    std::vector<const Row *> there;
    there.reserve(all_rows.size());
    for (const auto &row : all_rows)
        if (row.since <= nm_utils_version() && nm_utils_version() < row.until) there.push_back(&row);
    return there;
}

std::span<const Group *const> groups()
{
    static const auto there = [] {
        std::vector<const Group *> all = {&bond_port_group,  &connection_group, &ethtool_group, &hostname_group,
                                          &infiniband_group, &ipv4_group,       &ipv6_group,    &link_group,
                                          &match_group,      &delegation_group, &proxy_group,   &sriov_group,
                                          &tc_group};
        std::erase_if(all, [](const Group *g) { return nm_utils_version() < g->since; });
        return all;
    }();
    return there;
}

const Group *find_group(std::string_view name)
{
    const auto all = groups();
    const auto g = std::find_if(all.begin(), all.end(), [&](const Group *x) { return x->name == name; });
    return g == all.end() ? nullptr : *g;
}

const Row *find_row(const Group &group, std::string_view title)
{
    const auto rows = group.rows();
    const auto r = std::find_if(rows.begin(), rows.end(), [&](const Row *x) { return x->title() == title; });
    return r == rows.end() ? nullptr : *r;
}

NMSetting *new_setting(const Group &group)
{
    auto *setting = NM_SETTING(g_object_new(group.type(), nullptr));
    if (group.init) group.init(setting);
    return setting;
}

std::optional<std::vector<Part>> parts(const char *type, const char *slave_type)
{
    std::vector<Part> all = {{&connection_group, true}};
    if (type && std::string_view(type) != "infiniband") return std::nullopt;
    if (type) all.insert(all.end(), {{&infiniband_group, true}, {&sriov_group, false}, {&ethtool_group, false}});
    const std::string_view port = slave_type ? slave_type : "";
    if (port == "bond") {
        all.push_back({&bond_port_group, true});
        if (has_version(44)) all.insert(all.end(), {{&link_group, false}, {&match_group, false}});
    } else if (port.empty() || port == "vrf") {
        for (const auto *g : {&match_group, &ipv4_group, &ipv6_group, &delegation_group, &hostname_group, &link_group,
                              &tc_group, &proxy_group})
            all.push_back({g, false});
    } else {
        return std::nullopt;
    }
    std::erase_if(all, [](const Part &p) { return nm_utils_version() < p.group->since; });
    return all;
}

Result<void> set_property(const Row &row, NMSetting *setting, Op op, const char *value, const Surroundings &around)
{
    if (!row.kind->set) return bad(nm("the property can't be changed"));
    if ((row.flags & renewed) && !is_nmcli_known()) return bad(_("this machine's nmcli understands it in a newer way"));
    if (op == Op::remove && !value) op = Op::set;
    if (op == Op::remove && !row.kind->removes) return {};
    if (op == Op::add && !value) return {};
    g_object_freeze_notify(G_OBJECT(setting));
    auto r = row.kind->set(row, setting, op, value, around);
    g_object_thaw_notify(G_OBJECT(setting));
    return r;
}

} // namespace nmib::cli
