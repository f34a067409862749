// SPDX-License-Identifier: LGPL-2.1-or-later
// Which child is remembered as made by NetworkManager, and which is not touched. The lab tests real removals.
#include "apply/plan/link.hpp"
#include "dispatch/event.hpp"
#include "dispatch/handle.hpp"
#include "temp_dir.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace nmib;

namespace
{
struct LeftBehind : testing::Test {
    TempDir run;
    ProbePaths paths{run / "sys", run / "state", run / "devices"};
    LinkRow child = [] {
        LinkRow row;
        row.ifindex = 2147480000; // no such interface: a removal would fail with "absent", which counts as success
        row.name = IfName::parse("ib0.8002");
        row.infiniband = true;
        row.parent = 2;
        return row;
    }();
    void note(const std::string &text) { run.write("devices/2147480000", "[device]\n" + text); }
    void carrier(const std::string &changes) { run.write("sys/class/net/ib0.8002/carrier_changes", changes + "\n"); }
    void SetUp() override { carrier("4"); }
    bool remembered() const { return run.has("state/child-ib0.8002"); }
};
} // namespace

TEST_F(LeftBehind, OnlyChildrenOfNetworkManagerAreRemembered)
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

TEST_F(LeftBehind, ChildInUseOrReplacedIsKept)
{
    const auto judge = [&](const LinkRow &row) { return judge_leftover(row, paths, false); };
    note("nm-owned=true\n");
    EXPECT_EQ(judge(child), Leftover::not_made) << "not remembered";
    EXPECT_TRUE(remember_child(child, paths));
    EXPECT_EQ(judge(child), Leftover::later);
    EXPECT_EQ(judge_leftover(child, paths, true), Leftover::yes);
    auto port = child;
    port.parent = 0;
    EXPECT_EQ(judge(port), Leftover::no_child);
    note("nm-owned=true\nconnection-uuid=7a190ed6-615a-41b8-a890-238058dd60a7\n");
    EXPECT_EQ(judge(child), Leftover::in_use) << "active again";
    note("nm-owned=true\nmanaged=false\n");
    EXPECT_EQ(judge(child), Leftover::taken);
    note("nm-owned=true\n");
    auto other = child;
    other.name = IfName::parse("other");
    EXPECT_EQ(judge(other), Leftover::not_made) << "another interface under that number";
    other = child;
    other.ifindex++;
    EXPECT_EQ(judge(other), Leftover::not_made) << "another interface of that name";
    auto address = child;
    address.address = *HwAddr::parse("80:00:01:dd:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:01");
    EXPECT_EQ(judge(address), Leftover::in_use);
    carrier("6");
    EXPECT_EQ(judge_leftover(child, paths, true), Leftover::in_use) << "taken down and up since: another activation";
    carrier("4");
    child.carrier = true;
    EXPECT_EQ(judge(child), Leftover::yes);
}

TEST_F(LeftBehind, RemovedChildIsForgotten)
{
    auto rtnl = Rtnl::open();
    ASSERT_TRUE(rtnl);
    note("nm-owned=true\n");
    EXPECT_TRUE(remember_child(child, paths));
    EXPECT_EQ(delete_child(*rtnl, child.ifindex).error().kind, nmib::Error::Kind::absent);
    child.ifindex++;
    EXPECT_EQ(judge_leftover(child, paths, true), Leftover::not_made) << "the next of that name";
}

TEST_F(LeftBehind, WaitRunsInTheBackground)
{
    int alive[2];
    ASSERT_EQ(::pipe(alive), 0);
    const auto begin = std::chrono::steady_clock::now();
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::close(alive[0]);
        wait_outside_queue(1);
        (void)!::write(alive[1], "!", 1);
        ::_exit(7);
    }
    ::close(alive[1]);
    int status = 1;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(900));
    char byte = 0;
    EXPECT_EQ(::read(alive[0], &byte, 1), 1) << "what comes after the wait is done";
    EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(990));
    ::close(alive[0]);
}
