// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/rows.hpp"

#include "cli/base/gobject.hpp"

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
                              &ipv6_group, &hostname_group, &link_group, &bond_port_group, &delegation_group})
        for (unsigned minor = 42; minor <= 58; minor += 2) {
            std::set<std::string> names, titles;
            for (const auto &row : group->all_rows) {
                if (version(minor) < row.since || row.until <= version(minor)) continue;
                EXPECT_TRUE(names.insert(row.name).second) << row.name << " in 1." << minor;
                EXPECT_TRUE(titles.insert(row.title()).second) << row.title() << " in 1." << minor;
            }
        }
}

TEST(Rows, AreThoseOfThisMachinesNetworkManager)
{
    const auto from = [](unsigned minor) { return version(minor) <= nm_utils_version(); };
    EXPECT_EQ(find_group("link") != nullptr, from(44));
    EXPECT_EQ(find_row(connection_group, "controller") != nullptr, from(46));
    EXPECT_EQ(find_row(ipv4_group, "dhcp-send-hostname-deprecated") != nullptr, from(52));
    EXPECT_EQ(find_row(connection_group, "read-only") != nullptr, !from(44));
    EXPECT_NE(find_row(ipv4_group, "dhcp-send-hostname"), nullptr);
}

} // namespace nmib::cli
