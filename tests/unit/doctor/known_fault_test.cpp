// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"
#include "core/doctor/known_fault.hpp"
#include "id.hpp"
#include "probe/base/dir.hpp"
#include "probe/doctor/host.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

TEST(KnownFaultTest, VersionsAreComparedByNumber)
{
    EXPECT_TRUE(is_older("6.9.1", "6.10"));
    EXPECT_TRUE(is_older("6.10.11-amd64", "6.11"));
    EXPECT_FALSE(is_older("6.11.2", "6.11"));
    EXPECT_FALSE(is_older("6.11", "6.11"));
    EXPECT_TRUE(is_older("", "1"));
}

TEST(KnownFaultTest, KernelFaultOfOpensmIsReportedOnlyWithOpensm)
{
    Host host{.kernel = "6.11.5-amd64"};
    EXPECT_TRUE(faults_of(host).empty());
    host.has_opensm = true;
    ASSERT_EQ(faults_of(host).size(), 1U);
    EXPECT_EQ(seen(diagnose(host).at(0)),
              "linux 6.11.5-amd64 has a known fault: opensm does not start: 'Unable to register class 129' "
              "(linux-rdma/opensm#37)");
    for (const auto *healthy : {"6.10.11-amd64", "6.12.1", ""}) {
        host.kernel = healthy;
        EXPECT_TRUE(faults_of(host).empty()) << healthy;
    }
}

TEST(KnownFaultTest, InstalledToolsAreRead)
{
    const test::Tree tree;
    tree.file("usr/lib/python3.9/site-packages/azurelinuxagent/common/version.py",
              "# x\nAGENT_NAME = \"WALinuxAgent\"\nAGENT_VERSION = '2.9.1.1'\n");
    Host host;
    host.services.tools = read_tools(*Dir::open(tree.path()), known_tools());
    ASSERT_EQ(host.services.tools.size(), 1U);
    EXPECT_EQ(host.services.tools[0].version, "2.9.1.1");
    EXPECT_EQ(diagnose(host).at(0).kind->id, "known-fault"_id);
    host.services.tools[0].version = "2.9.0.4";
    EXPECT_TRUE(diagnose(host).empty());
}

} // namespace
} // namespace nmib
