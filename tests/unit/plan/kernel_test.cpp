// SPDX-License-Identifier: LGPL-2.1-or-later
// Readers and writers on the running kernel, in a network namespace without InfiniBand: real messages are understood,
// and other interfaces are not changed.
#include "apply/plan/apply.hpp"
#include "apply/plan/link.hpp"
#include "make.hpp"
#include "netlink_error.hpp"
#include "netns.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>

namespace nmib
{
namespace
{

using test::ifname;
using test::tso;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct KernelTest : test::NetNs {
    void SetUp() override
    {
        test::NetNs::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        veth = add("vth0", "veth");
        ASSERT_NE(veth, 0);
        auto opened = Rtnl::open();
        ASSERT_TRUE(opened) << opened.error().what;
        rtnl.emplace(std::move(*opened));
    }
    /// A sysfs tree for an interface of the kernel.
    static void sysfs_of(const test::Tree &tree, const std::string &name, int ifindex)
    {
        tree.file("class/net/" + name + "/ifindex", std::to_string(ifindex) + "\n");
        tree.file("class/net/" + name + "/mode", "datagram\n");
        tree.file("class/net/" + name + "/carrier_changes", "1\n");
    }
    Mtu mtu() { return rtnl->link(veth)->mtu; }

    int veth = 0;
    std::optional<Rtnl> rtnl;
};

TEST_F(KernelTest, SetNameRenamesOrReportsATakenName)
{
    ASSERT_TRUE(set_name(*rtnl, veth, ifname("other0")));
    EXPECT_EQ(rtnl->link(veth)->name, ifname("other0"));
    EXPECT_FALSE(rtnl->link(ifname("vth0")));
    const auto taken = set_name(*rtnl, add("vth1", "veth"), ifname("other0"));
    ASSERT_FALSE(taken);
    EXPECT_THAT(taken.error().what, HasSubstr("name other0: "));
    EXPECT_FALSE(set_name(*rtnl, 12345, ifname("nobody")));
}

TEST_F(KernelTest, LinkIsReadByIndexAndByName)
{
    const auto row = rtnl->link(veth);
    ASSERT_TRUE(row) << row.error().what;
    EXPECT_EQ(row->ifindex, veth);
    EXPECT_EQ(row->name->view(), "vth0");
    EXPECT_FALSE(row->infiniband);
    EXPECT_FALSE(row->up);
    EXPECT_FALSE(row->carrier);
    EXPECT_EQ(row->mtu, 1500U);
    EXPECT_NE(row->parent, 0); // the peer
    EXPECT_FALSE(row->pkey || row->mode);
    EXPECT_EQ(rtnl->link(ifname("vth0"))->ifindex, veth);
    EXPECT_EQ(rtnl->link(ifname("lo"))->ifindex, 1);
}

TEST_F(KernelTest, MissingLinkIsAbsentEachTime)
{
    for (int i = 0; i < 3; i++) {
        EXPECT_EQ(rtnl->link(99999).error().kind, Error::Kind::absent);
        EXPECT_EQ(rtnl->link(ifname("nothing")).error().kind, Error::Kind::absent);
        EXPECT_THAT(rtnl->link(ifname("nothing")).error().what, HasSubstr("nothing"));
        EXPECT_TRUE(rtnl->link(veth)); // the socket still works
    }
}

TEST_F(KernelTest, NetlinkErrorIsNotReportedAsAbsent)
{
    for (const auto &row : {std::pair{ENOBUFS, Error::Kind::io}, {EPERM, Error::Kind::denied}}) {
        const auto number = row.first; // clang 14 captures no structured binding
        const auto kind = row.second;
        const auto fails = [&] {
            EXPECT_EQ(rtnl->link(veth).error().kind, kind) << number;
            EXPECT_EQ(rtnl->link(ifname("nothing")).error().kind, kind) << number;
            EXPECT_FALSE(rtnl->ipoib_links()) << number;
        };
        if (!test::with_netlink_error(static_cast<unsigned>(number), fails)) GTEST_SKIP() << "no seccomp here";
        EXPECT_TRUE(rtnl->link(veth)); // the socket still works
    }
}

TEST_F(KernelTest, OtherInterfacesAreNoIpoibLinks)
{
    for (int i = 0; i < 100; i++) ASSERT_NE(add("v" + std::to_string(i), "veth"), 0); // and their peers
    const auto tun = add_infiniband_tun("ib0");
    for (int i = 0; i < 3; i++) {
        const auto all = rtnl->ipoib_links();
        ASSERT_TRUE(all) << all.error().what;
        EXPECT_THAT(*all, IsEmpty());
    }
    EXPECT_TRUE(rtnl->link(veth));
}

TEST_F(KernelTest, InfinibandTypeWithoutAnInfinibandAddressIsNoIpoib)
{
    const auto tun = add_infiniband_tun("ib0");
    if (!tun) GTEST_SKIP() << "no tun device here";
    const auto row = rtnl->link(ifname("ib0"));
    ASSERT_TRUE(row);
    EXPECT_FALSE(row->infiniband);
}

TEST_F(KernelTest, SetMtuSucceedsIsRefusedOrAbsent)
{
    EXPECT_TRUE(set_mtu(*rtnl, veth, 9000));
    EXPECT_EQ(mtu(), 9000U);
    EXPECT_EQ(set_mtu(*rtnl, veth, 70000).error().kind, Error::Kind::refused); // veth: at most 65535
    EXPECT_EQ(set_mtu(*rtnl, veth, 10).error().kind, Error::Kind::refused);
    EXPECT_EQ(set_mtu(*rtnl, 99999, 1500).error().kind, Error::Kind::absent);
    EXPECT_EQ(mtu(), 9000U);
}

TEST_F(KernelTest, RaiseMtuSetsTheHighestAcceptedMtu)
{
    const auto granted = raise_mtu(*rtnl, veth, 70000, TransportMode::connected);
    ASSERT_TRUE(granted);
    EXPECT_EQ(granted->mtu, 65520U);
    EXPECT_EQ(raise_mtu(*rtnl, veth, 4000, TransportMode::datagram)->mtu, 4000U);
    EXPECT_EQ(raise_mtu(*rtnl, 99999, 4000, TransportMode::datagram).error().kind, Error::Kind::absent);
    EXPECT_EQ(raise_mtu(*rtnl, veth, 20, TransportMode::datagram).error().kind, Error::Kind::refused);
}

TEST_F(KernelTest, SetUpSwitchesTheLinkUpAndDown)
{
    ASSERT_TRUE(set_up(*rtnl, veth, true));
    EXPECT_TRUE(rtnl->link(veth)->up);
    ASSERT_TRUE(set_up(*rtnl, veth, false));
    EXPECT_FALSE(rtnl->link(veth)->up);
    EXPECT_EQ(set_up(*rtnl, 99999, true).error().kind, Error::Kind::absent);
}

TEST_F(KernelTest, OnlyPKeyChildrenAreDeleted)
{
    const auto tun = add_infiniband_tun("ib0");
    for (const char *name : {"vth0", "lo", "ib0"}) {
        const auto row = rtnl->link(ifname(name));
        if (!row) continue;
        const auto r = delete_child(*rtnl, row->ifindex);
        ASSERT_FALSE(r) << name;
        EXPECT_EQ(r.error().kind, Error::Kind::invalid);
        EXPECT_TRUE(rtnl->link(ifname(name)));
    }
    EXPECT_EQ(delete_child(*rtnl, 99999).error().kind, Error::Kind::absent);
}

TEST_F(KernelTest, FeaturesAreReadAndSetByName)
{
    auto ethtool = *Ethtool::open();
    const auto name = ifname("vth0");
    auto f = ethtool.features(name, veth, {tso, test::feature("no-such-feature")});
    ASSERT_TRUE(f) << f.error().what;
    EXPECT_THAT(*f,
                ElementsAre(Feature{tso, true, true}, Feature{test::feature("no-such-feature"), false, false, false}));
    for (const bool on : {false, false, true}) {
        ASSERT_TRUE(ethtool.set(name, veth, tso, on));
        EXPECT_EQ(ethtool.features(name, veth, {tso})->front().requested, on);
    }
    EXPECT_EQ(ethtool.set(name, veth, test::feature("no-such-feature"), true).error().kind, Error::Kind::unsupported);
    EXPECT_THAT(*ethtool.features(name, veth, {}), IsEmpty());
}

TEST_F(KernelTest, FeatureOfAnotherIfindexIsNotChanged)
{
    auto ethtool = *Ethtool::open();
    const auto name = ifname("vth0");
    EXPECT_EQ(ethtool.features(name, veth + 1, {tso}).error().kind, Error::Kind::absent);
    EXPECT_EQ(ethtool.set(name, veth + 1, tso, false).error().kind, Error::Kind::absent);
    EXPECT_TRUE(ethtool.features(name, veth, {tso})->front().requested);
}

TEST_F(KernelTest, FixedFeatureIsNotAvailable)
{
    auto ethtool = *Ethtool::open();
    const auto lockless = test::feature("vlan-challenged"); // permanently fixed on lo
    const auto f = ethtool.features(ifname("lo"), 1, {lockless});
    ASSERT_TRUE(f);
    EXPECT_FALSE(f->front().available);
    const auto r = ethtool.set(ifname("lo"), 1, lockless, !f->front().requested);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().kind, Error::Kind::refused);
    EXPECT_EQ(ethtool.features(ifname("nothing"), 9, {tso}).error().kind, Error::Kind::absent);
    EXPECT_EQ(ethtool.set(ifname("nothing"), 9, tso, true).error().kind, Error::Kind::absent);
}

TEST_F(KernelTest, ModeIsWrittenWithANewlineAndReadBack)
{
    const test::Tree tree;
    sysfs_of(tree, "vth0", veth);
    const auto sysfs = *Sysfs::open(tree.path());
    const auto set = [&](int ifindex) { return set_mode(sysfs, ifname("vth0"), ifindex, TransportMode::connected); };
    ASSERT_TRUE(set(veth));
    EXPECT_EQ(tree.content("class/net/vth0/mode"), "connected\n");
    tree.file("class/net/vth0/mode", "datagram\n");
    EXPECT_EQ(set(veth + 1).error().kind, Error::Kind::absent); // another interface has the name now
    EXPECT_EQ(tree.content("class/net/vth0/mode"), "datagram\n");
    tree.remove("class/net/vth0/mode");
    EXPECT_EQ(set(veth).error().kind, Error::Kind::refused);
    tree.remove("class/net/vth0");
    EXPECT_EQ(set(veth).error().kind, Error::Kind::absent);
}

TEST_F(KernelTest, RefusedModeLeavesTheInterfaceUp)
{
    const test::Tree tree;
    sysfs_of(tree, "vth0", veth);
    tree.remove("class/net/vth0/mode");
    tree.dir("class/net/vth0/mode"); // not writable
    const auto sysfs = *Sysfs::open(tree.path());
    ASSERT_TRUE(set_up(*rtnl, veth, true));
    const auto r = set_mode_before_use(sysfs, *rtnl, ifname("vth0"), veth, TransportMode::connected);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.error().kind, Error::Kind::refused);
    EXPECT_TRUE(rtnl->link(veth)->up);
}

TEST_F(KernelTest, PlanIsAppliedInOrderAndRemembersTheCeiling)
{
    const test::Tree tree;
    sysfs_of(tree, "vth0", veth);
    auto probe = Probe::open({tree.path(), tree.path("run")});
    ASSERT_TRUE(probe);
    const auto name = ifname("vth0");
    Plan plan;
    plan.changes = {SetMode{veth, name, TransportMode::connected}, SetMtu{veth, name, 70000, TransportMode::connected},
                    SetFeature{veth, name, tso, false, 0}, SetFeature{99999, ifname("gone"), tso, false, 0}};
    const auto first = apply(*probe, tree.path("run"), plan);
    EXPECT_THAT(first.failures, IsEmpty()); // a vanished interface is no failure
    EXPECT_THAT(text(first.done, {.quirks = {test::lso_quirk()}}),
                ElementsAre("vth0: transport mode set to connected", "vth0: MTU set to 65520",
                            "vth0: tx-tcp-segmentation switched off (quirk lso)"));
    EXPECT_EQ(tree.content("run/mtu-vth0"), std::to_string(veth) + "\nconnected 65520 1\n");
    plan.changes = {SetMtu{veth, name, 65520, TransportMode::connected}};
    EXPECT_THAT(apply(*probe, tree.path("run"), plan).done, IsEmpty()); // unchanged
}

TEST_F(KernelTest, FailedModeSkipsTheMtu)
{
    const test::Tree tree;
    sysfs_of(tree, "vth0", veth);
    tree.remove("class/net/vth0/mode");
    auto probe = *Probe::open({tree.path(), tree.path("run")});
    const auto name = ifname("vth0");
    Plan plan;
    plan.changes = {SetMode{veth, name, TransportMode::connected}, SetMtu{veth, name, 65520, TransportMode::connected},
                    SetFeature{veth, name, tso, false, 0}};
    const auto applied = apply(probe, tree.path("run"), plan);
    EXPECT_TRUE(applied.connected_refused);
    EXPECT_THAT(applied.failures, IsEmpty());
    EXPECT_THAT(applied.done, SizeIs(1));
    EXPECT_EQ(mtu(), 1500U);
}

TEST_F(KernelTest, FailuresAreReportedAndOtherChangesApplied)
{
    const test::Tree tree;
    auto probe = *Probe::open({tree.path(), tree.path("run")});
    const auto name = ifname("vth0");
    Plan plan;
    plan.changes = {SetMtu{veth, name, 20, TransportMode::datagram},
                    SetFeature{veth, name, test::feature("no-such-feature"), false, 0},
                    SetFeature{veth, name, tso, false, 0}};
    const auto applied = apply(probe, tree.path("run"), plan);
    EXPECT_THAT(applied.failures, SizeIs(2));
    EXPECT_THAT(applied.done, SizeIs(1));
    const auto said = lines({.applied = applied, .plan = {}}, {.quirks = {test::lso_quirk()}}, true);
    EXPECT_THAT(said, SizeIs(3));
}

TEST_F(KernelTest, InterfaceThatIsNoInfinibandIsUnsupported)
{
    auto probe = *Probe::open({"/sys", "/nonexistent"});
    EXPECT_EQ(probe.around(veth, {}).error().kind, Error::Kind::unsupported);
    EXPECT_THAT(probe.around(ifname("vth0"), {}).error().what, HasSubstr("vth0: not an InfiniBand interface"));
    EXPECT_EQ(probe.around(99999, {}).error().kind, Error::Kind::absent);
    EXPECT_EQ(probe.around(ifname("nothing"), {}).error().kind, Error::Kind::absent);
    const auto all = probe.rtnl().ipoib_links();
    ASSERT_TRUE(all);
    EXPECT_THAT(*all, IsEmpty());
    EXPECT_FALSE(plan_and_apply(probe, "/nonexistent", {.ifindex = veth}, {}));
    EXPECT_FALSE(Probe::open({"/nonexistent/sys", ""}));
}

} // namespace
} // namespace nmib
