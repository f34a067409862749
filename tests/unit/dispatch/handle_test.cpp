// SPDX-License-Identifier: LGPL-2.1-or-later
// Each event of an InfiniBand interface: changes, and the lines of the log with their levels.
#include "dispatch/world.hpp"

#include <cerrno>
#include <fcntl.h>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using Action = Event::Action;

const std::string mtu_line =
    "ib0: MTU 4092 was requested, 2044 is in effect: the broadcast group of the subnet allows no more";
const Line quirk_line = {Severity::note, "ib0 and 2 more: tx-tcp-segmentation switched off (quirk lso)"};

struct HandleTest : DispatchWorld {
    std::string file = profile("");

    Lines on(Action action, std::string_view link = "ib0", const std::string &uuid = "u-1") const
    {
        return handle({ifname(link), action, uuid, "office", file}, paths.handle);
    }
    Lines of(const std::string &text, Severity severity = Severity::debug) const { return {{severity, text}}; }
    bool offload(int ifindex) { return std::as_const(kernel.model()).facts().find(ifindex)->features[0].requested; }
    /// Removes the quirk, so that an event changes nothing.
    void healthy() const { tree.remove("quirks/10.conf"); }
};

TEST_F(HandleTest, QuirkIsAppliedAtPreUpUpAndReapplyButNotAtDown)
{
    for (const auto action : {Action::pre_up, Action::up, Action::reapply}) {
        for (const int i : {4, 5, 6}) ASSERT_TRUE(kernel.model().set_feature(i, tso, true));
        EXPECT_THAT(on(action), ElementsAre(quirk_line));
        for (const int i : {4, 5, 6}) EXPECT_FALSE(offload(i));
    }
    ASSERT_TRUE(kernel.model().set_feature(4, tso, true));
    EXPECT_THAT(on(Action::down), IsEmpty());
    EXPECT_TRUE(offload(4));
}

TEST_F(HandleTest, DebugLevelLogsTheReasonOfEachEventWithoutAChange)
{
    conf("log-level=debug");
    healthy();
    EXPECT_EQ(on(Action::up), of("ib0: nothing to change"));
    EXPECT_EQ(on(Action::down), of("ib0: not removed: not a P_Key child"));
    EXPECT_EQ(on(Action::up, "ib9"), of("ib9: not an InfiniBand interface, or does not exist"));
    kernel.others.push_back({.ifindex = 9, .name = ifname("eth0")});
    EXPECT_EQ(on(Action::up, "eth0"), of("eth0: not an InfiniBand interface, or does not exist"));
    words("skip=yes\n");
    EXPECT_EQ(on(Action::up), of("ib0: the profile has rdma.skip yes"));
    note(4, "connection-uuid=u-2");
    EXPECT_EQ(on(Action::up), of("ib0: late event: the profile is no longer active"));
    EXPECT_EQ(on(Action::reapply), of("ib0: the profile has rdma.skip yes"));
    EXPECT_EQ(on(Action::up, "ib0", "u-2"), of("ib0: nothing to change"));
    conf("remove-leftover-children=no\nlog-level=debug");
    EXPECT_EQ(on(Action::down), of("ib0: remove-leftover-children is off"));
    conf("log-level=info");
    for (const auto action : {Action::up, Action::reapply, Action::down}) EXPECT_THAT(on(action), IsEmpty());
}

TEST_F(HandleTest, ChangeIsNotReportedAsNothing)
{
    conf("log-level=debug");
    EXPECT_THAT(on(Action::up), ElementsAre(quirk_line));
    kernel.no_change = EBUSY;
    ASSERT_TRUE(kernel.model().set_feature(4, tso, true));
    EXPECT_THAT(on(Action::up), ElementsAre(Pair(Severity::error, "ib0: Device or resource busy"),
                                            Pair(Severity::note, HasSubstr("already as it should be"))));
    EXPECT_THAT(on(Action::up), ElementsAre(Pair(Severity::error, "ib0: Device or resource busy")))
        << "a failure is logged again, a finding is not";
}

TEST_F(HandleTest, EventOfASkippedProfileChangesNothing)
{
    words("skip=yes\nroce-tos=7\n");
    for (const auto action : {Action::pre_up, Action::up, Action::reapply}) EXPECT_THAT(on(action), IsEmpty());
    EXPECT_TRUE(offload(4));
    EXPECT_EQ(kernel.writes, 0U);
    words("roce-tos=7\n");
    EXPECT_THAT(on(Action::up), ElementsAre(quirk_line));
}

TEST_F(HandleTest, LateUpChangesNothing)
{
    note(4, "connection-uuid=u-2");
    EXPECT_THAT(on(Action::up), IsEmpty());
    EXPECT_TRUE(offload(4));
    note(4, "connection-uuid=u-1");
    EXPECT_THAT(on(Action::up), ElementsAre(quirk_line));
}

TEST_F(HandleTest, UnreadableProfileStillGetsQuirks)
{
    file = tree.path("missing");
    EXPECT_THAT(on(Action::up), ElementsAre(Pair(Severity::error, "ib0: profile 'office' cannot be read, applying only "
                                                                  "quirks: " +
                                                                      file + ": No such file or directory"),
                                            quirk_line));
    healthy();
    file = "office.nmconnection\n";
    EXPECT_EQ(on(Action::up), of("ib0: profile 'office' cannot be read, applying only quirks: profile file "
                                 "'office.nmconnection\\x0a': not an absolute path",
                                 Severity::error));
}

TEST_F(HandleTest, MtuThatWasNotGrantedIsLoggedOnceForAProfile)
{
    healthy();
    file = profile("mtu=4092");
    EXPECT_EQ(on(Action::pre_up), of(mtu_line, Severity::warning));
    EXPECT_THAT(on(Action::up), IsEmpty());
    EXPECT_THAT(on(Action::reapply), IsEmpty());
    EXPECT_EQ(kernel.writes, 0U) << "the helper sets no MTU";
    EXPECT_EQ(tree.content("run/mtu-ib0"), "4\ndatagram 2044 3\n") << "kept for nm-ib plan";
    EXPECT_THAT(on(Action::down), IsEmpty());
    EXPECT_THAT(on(Action::up), IsEmpty()) << "the previous activation logged the line";
    EXPECT_EQ(on(Action::up, "ib0", "u-2"), of(mtu_line, Severity::warning)) << "another profile";
    for (int i = 0; i < 2; i++) EXPECT_THAT(on(Action::down, "ib0", "u-2"), IsEmpty());
    EXPECT_EQ(on(Action::up, "ib0", "u-2"), of(mtu_line, Severity::warning)) << "two activations later";
    ASSERT_TRUE(kernel.model().set_mtu(4, 2000));
    EXPECT_THAT(on(Action::reapply), IsEmpty());
    EXPECT_EQ(kernel.model().facts().find(4)->mtu, 2000U);
}

TEST_F(HandleTest, MistakeInAFileIsLoggedOnceAndNotAtReapply)
{
    healthy();
    conf("log-level=loud");
    const auto line = of(tree.path("etc/nm-ib.conf") + ":2: log-level=loud is not valid, ignoring", Severity::warning);
    EXPECT_THAT(on(Action::reapply), IsEmpty());
    EXPECT_EQ(on(Action::up), line);
    EXPECT_THAT(on(Action::up), IsEmpty());
}

TEST_F(HandleTest, ErrorIsLoggedAgainAfterDown)
{
    tree.remove("class/infiniband/mlx4_0/hw_rev");
    tree.dir("class/infiniband/mlx4_0/hw_rev");
    const auto unread = Pair(Severity::error, HasSubstr("ib0: a value that a quirk compares cannot be read"));
    EXPECT_THAT(on(Action::pre_up), ElementsAre(unread));
    EXPECT_THAT(on(Action::up), IsEmpty());
    EXPECT_THAT(on(Action::down), IsEmpty());
    EXPECT_THAT(on(Action::up), ElementsAre(unread));
}

TEST_F(HandleTest, FailingRequestIsAnErrorAndAMissingInterfaceIsNone)
{
    kernel.no_list = ENOBUFS;
    EXPECT_EQ(on(Action::up), of("ib0: list of interfaces: No buffer space available", Severity::error));
    kernel.no_list = ENODEV; // removed meanwhile
    EXPECT_THAT(on(Action::up), IsEmpty());
    conf("log-level=debug");
    EXPECT_EQ(on(Action::up), of("ib0: list of interfaces: No such device"));
    kernel.no_answer = EPERM;
    EXPECT_EQ(on(Action::up), of("ib0: Operation not permitted", Severity::error));
    tree.remove("run");
    paths.handle.probe.sysfs = tree.path("missing");
    EXPECT_EQ(on(Action::up), of("ib0: " + tree.path("missing") + ": No such file or directory", Severity::error));
}

TEST_F(HandleTest, UnwritableStateDirectoryOnlyLosesItsFiles)
{
    healthy();
    tree.remove("run");
    tree.file("run", "");
    file = profile("mtu=4092");
    note(5, "nm-owned=true\nconnection-uuid=u-1");
    for (int i = 0; i < 2; i++) EXPECT_EQ(on(Action::up), of(mtu_line, Severity::warning));
    file = profile("");
    EXPECT_EQ(on(Action::up, "ib0.8002"), of(tree.path("run") + ": Not a directory", Severity::warning));
    EXPECT_THAT(on(Action::reapply, "ib0.8002"), IsEmpty()) << "only up remembers a child";
}

/// The plugin's lock. Another process would hold it; an open file description of its own counts the same.
struct BesidePlugin : HandleTest {
    UniqueFd marker{};
    BesidePlugin()
    {
        tree.file("run/crash-marker", "", 0600);
        marker = UniqueFd(::open(tree.path("run/crash-marker").c_str(), O_RDWR | O_CLOEXEC));
        EXPECT_TRUE(take_charge(marker.get()));
        tree.file("class/infiniband/mlx4_0/ports/1/pkeys/1", "0x0002\n");
    }
};

TEST_F(BesidePlugin, LimitedMembershipIsLoggedAtUp)
{
    const auto limited = of("ib0.8002: mlx4_0 port 1 is a limited member of the partition of P_Key 0x8002: it reaches "
                            "full members only",
                            Severity::warning);
    EXPECT_EQ(on(Action::up, "ib0.8002"), limited);
    EXPECT_THAT(on(Action::up, "ib0.8002"), IsEmpty()) << "logged before";
    for (const auto action : {Action::pre_up, Action::reapply, Action::down})
        EXPECT_THAT(on(action, "ib0.8002"), IsEmpty());
    EXPECT_THAT(on(Action::up), IsEmpty());
    EXPECT_EQ(kernel.writes, 0U);
    EXPECT_THAT(calls, IsEmpty());
    words("skip=yes\n");
    EXPECT_THAT(on(Action::up, "ib0.8002"), IsEmpty());
}

TEST_F(BesidePlugin, MissingCarrierIsExplainedAfterAWaitOutsideTheQueue)
{
    kernel.model().lose_carrier(5);
    asleep = [&] { kernel.model().join(5, 2044); };
    tree.file("class/infiniband/mlx4_0/ports/1/pkeys/1", "0x8002\n");
    EXPECT_THAT(on(Action::up, "ib0.8002"), IsEmpty());
    EXPECT_THAT(calls, ElementsAre("fork", "setsid", "sleep 3", "alarm 30"));
    asleep = {};
    kernel.model().lose_carrier(5);
    tree.file("class/infiniband/mlx4_0/ports/1/sm_lid", "0x0\n");
    tree.file("class/infiniband/mlx4_0/ports/1/pkeys/1", "0x8003\n");
    tree.file("class/net/ib0/carrier_changes", "4\n");
    EXPECT_THAT(on(Action::up, "ib0.8002"),
                ElementsAre(Pair(Severity::warning, HasSubstr("P_Key 0x8002 is not in the P_Key table")),
                            Pair(Severity::warning, HasSubstr("no subnet manager has set up mlx4_0 port 1"))));
    kernel.model().remove(5);
    EXPECT_THAT(on(Action::up, "ib0.8002"), IsEmpty());
}

TEST_F(BesidePlugin, FirmwareIsAskedOnceForAPortAndEvent)
{
    unsigned reads = 0;
    const FakeCalls counting([&](std::string_view call, const std::string &path) {
        reads += call == "read" && path.find("/pkeys/") != path.npos;
        return pass;
    });
    for (const char *uuid : {"u-1", "u-2", "u-3"}) EXPECT_EQ(on(Action::up, "ib0.8002", uuid).size(), 1U);
    const auto once = reads;
    EXPECT_GT(once, 0U);
    tree.file("class/net/ib0/carrier_changes", "4\n");
    EXPECT_EQ(on(Action::up, "ib0.8002", "u-4").size(), 1U);
    EXPECT_EQ(reads, 2 * once) << "another event of the carrier";
    tree.file("run/port-ib0", "4\nno answer\n");
    EXPECT_EQ(on(Action::up, "ib0.8002", "u-5").size(), 1U);
    EXPECT_EQ(reads, 3 * once);
}

TEST_F(BesidePlugin, TableThatCannotBeReadIsAskedForOncePerEvent)
{
    unsigned reads = 0;
    const FakeCalls failing([&](std::string_view, const std::string &path) {
        const bool is_entry = path.find("/pkeys/") != path.npos;
        reads += is_entry;
        return is_entry ? EIO : pass;
    });
    EXPECT_THAT(on(Action::up, "ib0.8002", "u-1"), IsEmpty());
    const auto once = reads;
    EXPECT_GT(once, 0U);
    EXPECT_THAT(on(Action::up, "ib0.8002", "u-2"), IsEmpty());
    EXPECT_EQ(reads, once);
}

TEST_F(BesidePlugin, FaultThatReturnsIsLoggedAgain)
{
    const auto up_with = [&](const std::string &key, int event) {
        tree.file("class/infiniband/mlx4_0/ports/1/pkeys/1", key + "\n");
        tree.file("class/net/ib0/carrier_changes", std::to_string(event) + "\n");
        return on(Action::up, "ib0.8002").size();
    };
    EXPECT_EQ(up_with("0x0002", 4), 1U);
    EXPECT_EQ(up_with("0x0002", 5), 0U);
    EXPECT_EQ(up_with("0x8002", 6), 0U);
    EXPECT_EQ(up_with("0x0002", 7), 1U);
}

TEST_F(BesidePlugin, DebugLevelNamesThePlugin)
{
    conf("log-level=debug");
    EXPECT_EQ(on(Action::up), of("ib0: the plugin is in charge"));
    EXPECT_EQ(on(Action::down), of("ib0: the plugin is in charge"));
    words("skip=yes\n");
    EXPECT_EQ(on(Action::up, "ib0.8002"), of("ib0.8002: the plugin is in charge"));
    marker = UniqueFd();
    tree.file("run/crash-marker", "", 0666);
    EXPECT_EQ(on(Action::up), of("ib0: the profile has rdma.skip yes")) << "the daemon has ended";
}

/// Events of ib0.8002, which a profile has made.
struct LeftoverTest : HandleTest {
    const std::string name = "ib0.8002";
    const Lines removed = of(name + ": P_Key child removed: NetworkManager had left it behind", Severity::note);
    LeftoverTest()
    {
        healthy();
        conf("log-level=debug");
        note(5, "nm-owned=true\nconnection-uuid=u-1");
        EXPECT_EQ(on(Action::up, name), of(name + ": nothing to change"));
        EXPECT_EQ(tree.content("run/child-" + name), "5\n" + address(true).str() + " 1\n");
        note(5, "nm-owned=true"); // as NetworkManager leaves the child
    }
    bool gone() { return std::as_const(kernel.model()).facts().find(5) == nullptr; }
    Lines down() const { return on(Action::down, name); }
};

TEST_F(LeftoverTest, UnusedChildIsRemovedAfterAWaitOutsideTheQueue)
{
    EXPECT_EQ(down(), removed);
    EXPECT_TRUE(gone());
    EXPECT_THAT(calls, ElementsAre("fork", "setsid", "sleep 2", "alarm 30"));
    EXPECT_EQ(down(), of(name + ": not an InfiniBand interface, or does not exist"));
}

TEST_F(LeftoverTest, ChildWithoutACarrierGetsALongerWait)
{
    kernel.model().lose_carrier(5);
    EXPECT_EQ(down(), removed);
    EXPECT_THAT(calls, ElementsAre("fork", "setsid", "sleep 8", "alarm 30"));
}

TEST_F(LeftoverTest, ChildInUseIsNotWaitedFor)
{
    const auto kept = [&](const std::string &why) {
        EXPECT_EQ(down(), of(name + ": not removed: " + why));
        EXPECT_FALSE(gone());
        EXPECT_THAT(calls, IsEmpty());
    };
    note(5, "nm-owned=true\nconnection-uuid=u-1");
    kept("a profile is active or is being activated");
    note(5, "nm-owned=true\nmanaged=false");
    kept("set to unmanaged by the administrator");
    note(5, "nm-owned=true");
    tree.file("class/net/" + name + "/carrier_changes", "3\n");
    kept("a profile is active or is being activated");
    tree.remove("class/net/" + name + "/carrier_changes");
    kept("a profile is active or is being activated");
    tree.remove("run/child-" + name);
    kept("not made by a profile of NetworkManager");
}

TEST_F(LeftoverTest, WorldIsJudgedAgainAfterTheWait)
{
    asleep = [&] { note(5, "nm-owned=true\nconnection-uuid=u-1"); };
    EXPECT_EQ(down(), of(name + ": not removed: a profile is active or is being activated"));
    note(5, "nm-owned=true");
    asleep = [&] { kernel.no_answer = EPERM; };
    EXPECT_EQ(down(), of("5: Operation not permitted", Severity::error));
    kernel.no_answer = 0;
    EXPECT_FALSE(gone());
    asleep = [&] { kernel.model().remove(5); };
    EXPECT_EQ(down(), of(name + ": no longer exists"));
}

TEST_F(LeftoverTest, ChildOfAProfileThatMayBeSkippedStays)
{
    for (const auto *text : {"skip=yes\n", "skip=Yes\n", "skp=yes\n"}) {
        words(text);
        EXPECT_EQ(down(), of(name + ": not removed: the profile has rdma.skip yes, or its words cannot be read"))
            << text;
        EXPECT_FALSE(gone());
    }
    words("");
    EXPECT_EQ(down(), removed);
}

TEST_F(LeftoverTest, FailedRemovalIsAnErrorUnlessTheChildIsGone)
{
    kernel.no_change = EBUSY;
    EXPECT_EQ(down(),
              of(name + ": P_Key child not removed: interface 5: delete: Device or resource busy", Severity::error));
    kernel.no_change = ENODEV;
    EXPECT_THAT(down(), IsEmpty());
    EXPECT_FALSE(gone());
}

} // namespace
} // namespace nmib
