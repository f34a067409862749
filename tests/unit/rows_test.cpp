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
} // namespace

TEST(Rows, ArePropertiesOfLibnm)
{
    for (const auto *group : groups()) {
        const Class setting(g_type_class_ref(group->type()));
        for (const auto *row : group->rows()) {
            if (group == &ethtool_group || row->name == std::string("routing-rules")) continue; // which go by functions
            EXPECT_TRUE(g_object_class_find_property(G_OBJECT_CLASS(setting.get()), row->name))
                << group->name << "." << row->name;
        }
    }
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
    EXPECT_EQ(find_group("link"), nullptr);
    EXPECT_EQ(find_row(connection_group, "controller"), nullptr);
    EXPECT_EQ(find_row(ipv4_group, "dhcp-send-hostname-deprecated"), nullptr);
    EXPECT_NE(find_row(ipv4_group, "dhcp-send-hostname"), nullptr);
    EXPECT_NE(find_row(connection_group, "read-only"), nullptr);
}

} // namespace nmib::cli
