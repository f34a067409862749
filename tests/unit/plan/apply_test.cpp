// SPDX-License-Identifier: LGPL-2.1-or-later
// The whole cycle: facts from a sysfs tree and a modelled kernel, plan, changes, facts again.
#include "apply/plan/apply.hpp"
#include "apply/plan/link.hpp"
#include "fake_kernel.hpp"
#include "id.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

namespace nmib
{
namespace
{

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Facts rev_a0_with_children()
{
    Facts f{{}, {port_link(4, "ib0"), child_link(5, "ib0.8002", 4, 0x8002), child_link(6, "ib0.8003", 4, 0x8003)}};
    for (auto &l : f.links) l.features = {{tso, true, true}};
    return f;
}

struct Settle : testing::Test {
    FakeKernel kernel{rev_a0_with_children(), {}};
    std::string state = kernel.tree.path("run");
    Policy policy{.quirks = {lso_quirk()}};
    Intent intent{.ifindex = 4, .profile = "office", .mode = TransportMode::connected, .mtu = 65520};
    Probe probe = *Probe::open({kernel.tree.path(), state, kernel.tree.path("devices-of-nm")});

    Outcome settle()
    {
        auto out = nmib::plan_and_apply(probe, state, intent, policy);
        EXPECT_TRUE(out) << out.error().what;
        return std::move(*out);
    }
    std::vector<std::string> said(const Outcome &out, bool quiet = false) const
    {
        std::vector<std::string> texts;
        for (auto &[severity, text] : lines(out, policy, quiet)) texts.push_back(text);
        return texts;
    }
    const Link &link(int ifindex) { return *std::as_const(kernel.model()).facts().find(ifindex); }
    /// A second caller plans no changes and sends no requests.
    void settled()
    {
        const auto before = kernel.writes;
        const auto out = settle();
        EXPECT_THAT(out.applied.done, IsEmpty());
        EXPECT_THAT(out.plan.changes, IsEmpty());
        EXPECT_THAT(said(out, true), IsEmpty());
        EXPECT_EQ(kernel.writes, before);
    }
};

TEST_F(Settle, RevisionA0CardGetsConnectedModeWithoutTso)
{
    const auto out = settle();
    EXPECT_THAT(out.applied.failures, IsEmpty());
    EXPECT_EQ(kernel.mode_file("ib0"), "connected\n");
    EXPECT_EQ(link(4).mtu, 65520U);
    for (const int i : {4, 5, 6}) EXPECT_FALSE(link(i).features[0].requested) << i;
    EXPECT_THAT(said(out, true), ElementsAre("ib0: transport mode set to connected",
                                             "ib0 and 2 more: tx-tcp-segmentation switched off (quirk lso)"));
    EXPECT_THAT(codes(settle().plan), ElementsAre("quirk-already"_id));
    settled();
}

TEST_F(Settle, MtuAboveTheGroupLimitIsReportedAndRemembered)
{
    intent.mode = TransportMode::datagram;
    intent.mtu = 4092;
    const auto out = settle();
    EXPECT_EQ(link(4).mtu, 2044U);
    EXPECT_THAT(codes(out.plan), Contains("mtu-limited"_id));
    EXPECT_EQ(kernel.tree.content("run/mtu-ib0"), "4\ndatagram 2044 3\n");
    settled();
    // The carrier was lost and came back: the subnet may allow another value now.
    kernel.tree.file("class/net/ib0/carrier_changes", "5\n");
    const auto before = kernel.writes;
    (void)settle();
    EXPECT_GT(kernel.writes, before);
    settled();
}

TEST_F(Settle, DriverThatRefusesConnectedModeGivesDatagramMode)
{
    kernel.tree.remove("class/net/ib0/mode");
    kernel.tree.dir("class/net/ib0/mode"); // every write fails
    const auto out = settle();
    EXPECT_EQ(link(4).mode, TransportMode::datagram);
    EXPECT_EQ(link(4).mtu, 2044U);
    EXPECT_THAT(out.applied.failures, IsEmpty());
    ASSERT_THAT(codes(out.plan), Contains("connected-impossible"_id));
    EXPECT_EQ(out.plan.findings[0].cause, Finding::Cause::driver);
    EXPECT_EQ(kernel.downs, 0U); // may be in use
    policy.connected_impossible = Policy::Impossible::fail;
    const auto refused = settle().plan;
    EXPECT_THAT(codes(refused), Contains("connected-impossible"_id));
    EXPECT_EQ(refused.findings[0].severity, Severity::error);
}

TEST_F(Settle, StrictPolicyStillAppliesQuirks)
{
    auto facts = rev_a0_with_children();
    facts.links[0].address = address(false);
    FakeKernel other{std::move(facts), {}};
    auto p = *Probe::open({other.tree.path(), state});
    policy.connected_impossible = Policy::Impossible::fail;
    intent.mtu.reset();
    const auto out = nmib::plan_and_apply(p, state, intent, policy);
    ASSERT_TRUE(out);
    EXPECT_EQ(other.mode_file("ib0"), "datagram\n");
    EXPECT_FALSE(other.model().facts().find(4)->features[0].requested);
    EXPECT_THAT(said(*out), ElementsAre("ib0 and 2 more: tx-tcp-segmentation switched off (quirk lso)",
                                        HasSubstr("connected mode, which is not possible")));
}

TEST_F(Settle, FactsOfAChildIncludeItsPortAndPKeys)
{
    const auto facts = probe.around(ifname("ib0.8002"), policy, Probe::Depth::firmware);
    ASSERT_TRUE(facts);
    ASSERT_THAT(facts->links, SizeIs(2)); // without its sibling
    EXPECT_EQ(facts->device->name, "mlx4_0");
    EXPECT_EQ(*facts->port()->pkeys, test::pkey_table({test::pkey(0xffff), test::pkey(0x8002)}));
    intent = {.ifindex = 6, .profile = "part", .p_key = 0x8003};
    (void)settle();
    EXPECT_FALSE(link(6).features[0].requested);
    EXPECT_TRUE(link(5).features[0].requested); // decided by another profile
    settled();
}

TEST_F(Settle, PKeysAreReadAgainOnEachRequest)
{
    intent = {.ifindex = 5, .profile = "part", .p_key = 0x8002};
    const auto said_of = [&](Probe::Depth depth) {
        return codes(nmib::plan_and_apply(probe, state, intent, policy, depth)->plan);
    };
    (void)settle();
    kernel.tree.file("class/infiniband/mlx4_0/ports/1/pkeys/1", "0x0002\n");
    EXPECT_THAT(said_of(Probe::Depth::firmware), Contains("pkey-limited"_id));
    EXPECT_THAT(said_of(Probe::Depth::all), testing::Not(Contains("pkey-limited"_id)));
    kernel.tree.file("class/infiniband/mlx4_0/ports/1/pkeys/1", "0x8002\n");
    EXPECT_THAT(said_of(Probe::Depth::firmware), testing::Not(Contains("pkey-limited"_id)));
}

TEST_F(Settle, ChildrenOfAHealthyCardAreNotRead)
{
    kernel.tree.file("class/infiniband/mlx4_0/hw_rev", "b0\n");
    EXPECT_THAT(probe.around(4, policy)->links, SizeIs(1));
    (void)settle();
    for (const int i : {4, 5, 6}) EXPECT_TRUE(link(i).features[0].requested);
    settled();
}

TEST_F(Settle, UnreadableFactIsAnErrorAndReadAgain)
{
    intent = {.ifindex = 4, .profile = "office"};
    const auto unread = [&](const char *why) {
        const auto out = settle();
        EXPECT_THAT(out.applied.done, IsEmpty());
        EXPECT_THAT(out.applied.failures, IsEmpty());
        EXPECT_THAT(lines(out, policy, false),
                    ElementsAre(testing::Pair(Severity::error,
                                              testing::AllOf(HasSubstr("ib0: a value that a quirk"), HasSubstr(why)))));
    };
    kernel.tree.remove("class/infiniband/mlx4_0/hw_rev");
    kernel.tree.dir("class/infiniband/mlx4_0/hw_rev");
    unread("hw_rev: not a regular file");
    kernel.tree.file("class/infiniband/mlx4_0/hw_rev", "a0\n");
    kernel.no_features = EMFILE;
    unread("ib0: offload features: Too many open files");
    kernel.no_features = EOPNOTSUPP; // the features are known to be unsupported
    EXPECT_THAT(codes(settle().plan), ElementsAre("quirk-unknown"_id));
    kernel.no_features = 0;
    EXPECT_THAT(settle().applied.done, SizeIs(3));
    settled();
}

TEST_F(Settle, FactsAreReadAgainForEachCall)
{
    (void)settle();
    kernel.tree.file("class/infiniband/mlx4_0/hw_rev", "b0\n");
    kernel.tree.remove("class/net/ib0/mode");
    const auto facts = probe.around(4, policy);
    EXPECT_EQ(facts->device->revision(), 0xb0U);
    EXPECT_FALSE(facts->links[0].mode_writable);
    kernel.tree.file("class/infiniband/mlx4_0/ports/1/sm_lid", "0x7\n");
    EXPECT_EQ(*probe.around(4, policy, Probe::Depth::firmware)->port()->sm_lid, 7U);
}

TEST_F(Settle, RenamedHcaIsFoundAgain)
{
    EXPECT_EQ(probe.around(4, policy)->device->name, "mlx4_0");
    const auto devices = kernel.tree.path("class/infiniband");
    std::filesystem::remove(devices + "/mlx4_0");
    std::filesystem::rename(kernel.tree.path(test::SysTree::hca),
                            kernel.tree.path(std::string(test::SysTree::pci) + "/infiniband/ibp1s0"));
    kernel.tree.link("class/infiniband/ibp1s0", "../../" + std::string(test::SysTree::pci) + "/infiniband/ibp1s0");
    const auto facts = probe.around(4, policy, Probe::Depth::firmware);
    EXPECT_EQ(facts->device->name, "ibp1s0");
    EXPECT_EQ(*facts->port()->sm_lid, 1U);
}

TEST_F(Settle, ChildWithItsOwnProfileIsSkipped)
{
    kernel.tree.file("devices-of-nm/6", "[device]\nnm-owned=false\n");
    // First while the profile is being activated, then with a profile that was made by hand.
    for (const auto *note : {"nm-owned=true", "connection-uuid=7f7c9d0e-4f0b-4d0e-8c7c-0d1c9b3e5a11"}) {
        kernel.tree.file("devices-of-nm/5", std::string("[device]\n") + note + "\n");
        (void)settle();
        EXPECT_TRUE(link(5).features[0].requested) << note;
    }
    EXPECT_FALSE(link(4).features[0].requested);
    EXPECT_TRUE(link(5).features[0].requested);
    EXPECT_FALSE(link(6).features[0].requested);
    settled();
    intent = {.ifindex = 5};
    (void)settle();
    EXPECT_FALSE(link(5).features[0].requested);
}

TEST_F(Settle, LinkDepthReadsNoOffloads)
{
    const auto facts = probe.around(4, policy, Probe::Depth::link);
    ASSERT_THAT(facts->links, SizeIs(1));
    EXPECT_THAT(facts->links[0].features, IsEmpty());
    EXPECT_TRUE(facts->port());
    EXPECT_FALSE(probe.around(5, policy, Probe::Depth::link)->port()->pkeys);
}

TEST_F(Settle, FactsAroundAChildIncludeItsPort)
{
    const auto facts = probe.around(5, policy);
    ASSERT_THAT(facts->links, SizeIs(2));
    ASSERT_TRUE(facts->port());
    EXPECT_FALSE(facts->port()->pkeys);
    for (const auto &l : facts->links) {
        EXPECT_TRUE(l.mode_writable);
        EXPECT_THAT(l.features, SizeIs(1));
    }
}

TEST_F(Settle, DeleteChildRefusesAPort)
{
    auto &rtnl = probe.rtnl();
    EXPECT_EQ(delete_child(rtnl, 4).error().kind, Error::Kind::invalid);
    EXPECT_EQ(kernel.writes, 0U);
    ASSERT_TRUE(delete_child(rtnl, 5));
    EXPECT_EQ(delete_child(rtnl, 5).error().kind, Error::Kind::absent);
    intent = {.ifindex = 5};
    EXPECT_FALSE(nmib::plan_and_apply(probe, state, intent, policy));
}

TEST_F(Settle, InterfaceThatDisappearsIsNoFailure)
{
    const auto facts = probe.around(4, policy);
    const auto p = plan(*facts, intent, policy);
    kernel.model().remove(6);
    EXPECT_THAT(apply(probe, state, p).failures, IsEmpty());
    EXPECT_FALSE(link(5).features[0].requested);
}

} // namespace
} // namespace nmib
