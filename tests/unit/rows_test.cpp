// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/rows.hpp"

#include "cli/gobject.hpp"

#include <gtest/gtest.h>
#include <set>

namespace nmib::cli
{

namespace
{
using Class = std::unique_ptr<void, Freer<g_type_class_unref>>;

std::multiset<std::string> rows_of(const Group &group)
{
    std::multiset<std::string> names;
    for (const auto *row : group.rows()) names.insert(row->name);
    return names;
}

std::multiset<std::string> properties_of(const Group &group)
{
    std::multiset<std::string> names;
    const Class all(g_type_class_ref(group.type()));
    unsigned n = 0;
    const std::unique_ptr<GParamSpec *, Freer<g_free>> specs(
        g_object_class_list_properties(G_OBJECT_CLASS(all.get()), &n));
    for (const auto *spec : std::span(specs.get(), n)) names.insert(spec->name);
    names.erase("name"); // the setting's own
    return names;
}
} // namespace

TEST(Rows, AreThePropertiesThatLibnmHas)
{
    if (nm_utils_version() >> 8 != version(42) >> 8) GTEST_SKIP() << "nmcli does not show all of them";
    for (const auto *group : groups())
        if (group != &ethtool_group) { // whose rows are options
            EXPECT_EQ(rows_of(*group), properties_of(*group)) << group->name;
        }
    EXPECT_EQ(find_group("link"), nullptr);
}

TEST(Rows, HaveOneNameEachInEveryVersion)
{
    for (const auto *group : {&connection_group, &infiniband_group, &sriov_group, &ethtool_group, &ipv4_group,
                              &ipv6_group, &hostname_group, &link_group, &bond_port_group})
        for (unsigned minor = 42; minor <= 52; minor += 2) {
            std::set<std::string> names, titles;
            for (const auto &row : group->all_rows) {
                if (version(minor) < row.since || row.until <= version(minor)) continue;
                EXPECT_TRUE(names.insert(row.name).second) << row.name << " in 1." << minor;
                EXPECT_TRUE(titles.insert(row.title()).second) << row.title() << " in 1." << minor;
            }
        }
}

TEST(Rows, WhatCameLaterIsNotFound)
{
    if (nm_utils_version() >> 8 != version(42) >> 8) GTEST_SKIP();
    EXPECT_EQ(find_row(connection_group, "controller"), nullptr);
    EXPECT_EQ(find_row(ipv4_group, "dhcp-send-hostname-deprecated"), nullptr);
    EXPECT_NE(find_row(ipv4_group, "dhcp-send-hostname"), nullptr);
    EXPECT_NE(find_row(connection_group, "read-only"), nullptr);
}

} // namespace nmib::cli
