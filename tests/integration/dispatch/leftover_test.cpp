// SPDX-License-Identifier: LGPL-2.1-or-later
// Which child is remembered as NetworkManager's own, and which is not touched. Real removals are shown in the lab.
#include "dispatch/leftover.hpp"
#include "temp_dir.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace nmib;

namespace
{
struct Leftover : testing::Test {
    TempDir run;
    LeftoverPaths paths{run / "sys", run / "state", run / "devices", 300, 300};
    LinkRow child = [] {
        LinkRow row;
        row.ifindex = 2147480000; // no such interface: a removal would fail with "absent", which counts as gone
        row.name = IfName::parse("ib0.8002");
        row.infiniband = true;
        row.parent = 2;
        return row;
    }();
    void note(const std::string &text) { run.write("devices/2147480000", "[device]\n" + text); }
    void carrier(const std::string &changes) { run.write("sys/class/net/ib0.8002/carrier_changes", changes + "\n"); }
    void SetUp() override { carrier("4"); }
    bool remembered() const { return run.has("state/child-2147480000"); }
};
} // namespace

TEST_F(Leftover, RemembersOnlyWhatNetworkManagerMade)
{
    EXPECT_TRUE(remember_child(child, paths));
    EXPECT_FALSE(remembered()) << "no note";
    note("nm-owned=false\n");
    EXPECT_TRUE(remember_child(child, paths));
    EXPECT_FALSE(remembered()) << "made by hand";
    note("managed=true\n");
    EXPECT_TRUE(remember_child(child, paths));
    EXPECT_FALSE(remembered()) << "says nothing";
    auto port = child;
    port.parent = 0;
    note("nm-owned=true\n");
    EXPECT_TRUE(remember_child(port, paths));
    EXPECT_FALSE(remembered()) << "a port's interface is no child";
    EXPECT_TRUE(remember_child(child, paths));
    EXPECT_TRUE(remembered());
}

TEST_F(Leftover, LeavesWhatIsInUseOrAnother)
{
    auto rtnl = Rtnl::open();
    ASSERT_TRUE(rtnl);
    const auto removed = [&](const LinkRow &row) {
        const auto r = remove_leftover(*rtnl, row, paths);
        return r ? std::to_string(*r) : r.error().what;
    };
    note("nm-owned=true\n");
    EXPECT_EQ(removed(child), "0") << "not remembered";
    EXPECT_TRUE(remember_child(child, paths));
    note("nm-owned=true\nconnection-uuid=7a190ed6-615a-41b8-a890-238058dd60a7\n");
    EXPECT_EQ(removed(child), "0");
    EXPECT_TRUE(remembered()) << "active again: still to be removed one day";
    note("nm-owned=true\n");
    auto other = child;
    other.name = IfName::parse("other");
    EXPECT_EQ(removed(other), "0") << "another interface under that number";
    auto address = child;
    address.address = *HwAddr::parse("80:00:01:dd:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:01");
    EXPECT_EQ(removed(address), "0");
    carrier("6");
    EXPECT_EQ(removed(child), "0") << "taken down and up since: another activation";
    carrier("4");
    std::thread again([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        carrier("5");
    });
    EXPECT_EQ(removed(child), "0") << "another activation begins while it is watched";
    again.join();
    carrier("4");
    EXPECT_TRUE(remembered());
    EXPECT_EQ(removed(child), "0") << "gone already";
    EXPECT_FALSE(remembered()) << "and forgotten";
}
