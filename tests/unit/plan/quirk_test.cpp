// SPDX-License-Identifier: LGPL-2.1-or-later
// Quirks in plan(): results, scope, and reasons not to match.
#include "id.hpp"
#include "make.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A rev A0 ConnectX with ib0 and two children; TSO is requested everywhere.
struct Quirks : testing::Test {
    Facts facts{connectx(0xa0),
                {port_link(4, "ib0"), child_link(6, "ib0.8002", 4, 0x8002), child_link(8, "ib0.8003", 4, 0x8003)}};
    Intent intent{.ifindex = 4, .profile = "office"};
    Policy policy{.quirks = {lso_quirk()}};

    Quirks()
    {
        for (auto &l : facts.links) l.features = {{tso, true, true}};
    }
    Plan plan() const { return nmib::plan(facts, intent, policy); }
};

TEST_F(Quirks, QuirkAppliesToThePortAndItsChildrenOnly)
{
    const auto p = plan();
    EXPECT_THAT(changes(p), ElementsAre("ib0 tx-tcp-segmentation off", "ib0.8002 tx-tcp-segmentation off",
                                        "ib0.8003 tx-tcp-segmentation off"));
    EXPECT_THAT(codes(p), IsEmpty());
    EXPECT_THAT(text(p.changes, policy), ElementsAre("ib0 and 2 more: tx-tcp-segmentation switched off (quirk lso)"));
}

TEST_F(Quirks, QuirkMatchesAChildByItsPort)
{
    intent.ifindex = 8;
    EXPECT_THAT(changes(plan()), ElementsAre("ib0.8003 tx-tcp-segmentation off"));
}

TEST_F(Quirks, HealthyCardHasNoChange)
{
    facts.device = connectx(0xb0);
    for (const int ifindex : {4, 8}) {
        intent.ifindex = ifindex;
        EXPECT_EQ(dump(plan()), "");
    }
}

TEST_F(Quirks, AlreadyOffAndHandledByTheKernelAreReportedSeparately)
{
    facts.links[0].features[0].requested = false;
    facts.links[1].features[0].available = false;
    const auto p = plan();
    EXPECT_THAT(changes(p), ElementsAre("ib0.8003 tx-tcp-segmentation off"));
    ASSERT_THAT(codes(p), ElementsAre("quirk-already"_id, "quirk-kernel"_id));
    EXPECT_THAT(text(p.findings[0]), HasSubstr("quirk lso: tx-tcp-segmentation is already as it should be"));
    EXPECT_THAT(text(p.findings[1]), HasSubstr("handled by the kernel"));
}

TEST_F(Quirks, UnknownFeatureIsAWarning)
{
    for (auto &l : facts.links) l.features = {{tso, false, false, false}};
    const auto p = plan();
    ASSERT_THAT(codes(p), ElementsAre("quirk-unknown"_id));
    EXPECT_EQ(p.findings[0].severity, Severity::warning);
    EXPECT_EQ(text(p.findings[0]), "ib0: quirk lso: this kernel has no offload named tx-tcp-segmentation");
}

TEST_F(Quirks, UnreadableFeatureIsReportedAsUnread)
{
    for (auto &l : facts.links) l.features.clear();
    EXPECT_EQ(dump(plan()), "");
    facts.links[1].unread = "ib0.8002: offload features: Too many open files";
    for (const int ifindex : {4, 6}) { // the port, whose quirks apply to its children, and the child
        intent.ifindex = ifindex;
        const auto p = plan();
        ASSERT_THAT(codes(p), ElementsAre("quirk-unread"_id));
        EXPECT_EQ(p.findings[0].severity, Severity::error);
        EXPECT_THAT(text(p.findings[0]),
                    HasSubstr("cannot be read: ib0.8002: offload features: Too many open files. If the quirk"));
    }
    intent.ifindex = 8; // its sibling
    EXPECT_EQ(dump(plan()), "");
    facts.links[1].has_profile = true;
    intent.ifindex = 4;
    EXPECT_EQ(dump(plan()), "");
}

TEST_F(Quirks, UnreadableDeviceIsReportedAsUnread)
{
    facts.device.reset();
    EXPECT_EQ(dump(plan()), ""); // no quirk
    facts.links[0].unread = "hw_rev: Input/output error";
    for (const int ifindex : {4, 6}) {
        intent.ifindex = ifindex;
        const auto p = plan();
        EXPECT_THAT(p.changes, IsEmpty());
        EXPECT_THAT(codes(p), ElementsAre("quirk-unread"_id));
    }
    auto &quirk = policy.quirks[0];
    quirk.scope = Quirk::Scope::port;
    EXPECT_EQ(dump(plan()), ""); // of the child: no quirk is for children
    intent.ifindex = 4;
    quirk.match.rc_capable = false; // does not match this interface
    EXPECT_EQ(dump(plan()), "");
    policy.quirks.clear();
    EXPECT_EQ(dump(plan()), "");
}

TEST_F(Quirks, ConnectedModeUsesTheRequestedFeature)
{
    // `active` is always off in connected mode, and returns with datagram mode
    for (auto &l : facts.links) l.mode = TransportMode::connected;
    EXPECT_EQ(changes(plan()).size(), 3U);
}

TEST_F(Quirks, FeatureOfTheProfileOverridesTheQuirk)
{
    intent.features = {{tso, true}};
    const auto p = plan();
    EXPECT_THAT(changes(p), IsEmpty());
    ASSERT_THAT(codes(p), ElementsAre("quirk-refused"_id));
    EXPECT_EQ(p.findings[0].severity, Severity::warning);
    EXPECT_THAT(text(p.findings[0]), HasSubstr("profile 'office' requests tx-tcp-segmentation explicitly"));
    intent.features = {{tso, false}};
    EXPECT_EQ(changes(plan()).size(), 3U);
    intent.features = {{feature("tx-udp-segmentation"), true}};
    EXPECT_EQ(changes(plan()).size(), 3U);
}

TEST_F(Quirks, ScopePortSkipsChildren)
{
    policy.quirks[0].scope = Quirk::Scope::port;
    EXPECT_THAT(changes(plan()), ElementsAre("ib0 tx-tcp-segmentation off"));
    intent.ifindex = 6;
    EXPECT_EQ(dump(plan()), "");
}

TEST_F(Quirks, NoQuirksGiveAnEmptyPlan)
{
    policy.quirks.clear();
    EXPECT_EQ(dump(plan()), "");
}

TEST_F(Quirks, FirstOfTwoConflictingQuirksWins)
{
    auto other = lso_quirk();
    other.name = "other";
    other.features[0].on = true;
    policy.quirks.push_back(other);
    EXPECT_EQ(changes(plan()).size(), 3U);
    for (auto &l : facts.links) l.features[0].requested = false;
    EXPECT_THAT(changes(plan()), IsEmpty());
    std::swap(policy.quirks[0], policy.quirks[1]);
    EXPECT_EQ(changes(plan()).size(), 3U);
}

TEST_F(Quirks, SecondQuirkAppliesWhereTheFirstDoesNotMatch)
{
    auto port_only = lso_quirk();
    port_only.scope = Quirk::Scope::port;
    port_only.features[0].on = true;
    policy.quirks.insert(policy.quirks.begin(), port_only);
    EXPECT_THAT(changes(plan()), ElementsAre("ib0.8002 tx-tcp-segmentation off", "ib0.8003 tx-tcp-segmentation off"));
}

TEST_F(Quirks, WarningIsReportedOnce)
{
    policy.quirks[0].features.clear();
    policy.quirks[0].warning = "old firmware\n\x1b[2J";
    const auto p = plan();
    ASSERT_THAT(codes(p), ElementsAre("quirk-warning"_id));
    EXPECT_EQ(text(p.findings[0]), "ib0: old firmware\\x0a\\x1b[2J (quirk lso)");
}

TEST_F(Quirks, FeaturesOfInterestComeFromMatchingQuirksOnce)
{
    policy.quirks.push_back(lso_quirk());
    policy.quirks[1].features.push_back({feature("tx-checksum-ipv4"), false});
    EXPECT_THAT(features_of_interest(facts, facts.links[0], policy), ElementsAre(tso, feature("tx-checksum-ipv4")));
    EXPECT_THAT(features_of_interest(facts, facts.links[1], policy), ElementsAre(tso, feature("tx-checksum-ipv4")));
    facts.device = connectx(0xb0);
    EXPECT_THAT(features_of_interest(facts, facts.links[0], policy), IsEmpty());
}

/// All conditions are set: each one that does not hold prevents the match.
TEST_F(Quirks, EveryConditionMustMatch)
{
    auto q = lso_quirk();
    q.match.rc_capable = true;
    q.match.name_longer_than = 2;
    ASSERT_TRUE(matches(q, facts, facts.links[0]));
    const std::vector<std::pair<const char *, std::function<void(Facts &)>>> wrong = {
        {"MatchNameLength", [](Facts &f) { f.links[0].name = ifname("ib"); }},
        {"MatchFlagsByte", [](Facts &f) { f.links[0].address = address(false); }},
        {"MatchRevision", [](Facts &f) { f.device->hw_rev = std::string("b0"); }},
        {"MatchDevice", [](Facts &f) { f.device->pci_id->device = 0x1003; }},
        {"MatchVendor", [](Facts &f) { f.device->pci_id->vendor = 0x15b4; }},
        {"MatchDriver", [](Facts &f) { f.device->driver = "mlx5_core"; }},
        {"no PCI function", [](Facts &f) { f.device->pci_id = {}; }},
        {"no device", [](Facts &f) { f.device.reset(); }},
    };
    for (const auto &[what, breaks] : wrong) {
        auto broken = facts;
        breaks(broken);
        EXPECT_FALSE(matches(q, broken, broken.links[0])) << what;
    }
    EXPECT_TRUE(matches(q, facts, facts.links[1]));
    q.scope = Quirk::Scope::port;
    EXPECT_FALSE(matches(q, facts, facts.links[1]));
}

TEST_F(Quirks, DriverRevisionOverridesThePciRevision)
{
    facts.device->pci_revision = 0xb0U;
    EXPECT_FALSE(matches(lso_quirk(), facts, facts.links[0]));
    facts.device->hw_rev = std::string("a0");
    EXPECT_TRUE(matches(lso_quirk(), facts, facts.links[0]));
    facts.device->hw_rev = std::string("0x1a0"); // no truncation
    EXPECT_FALSE(matches(lso_quirk(), facts, facts.links[0]));
}

TEST_F(Quirks, NameLengthIsThatOfThePort)
{
    Quirk q;
    q.match.name_longer_than = 3;
    EXPECT_FALSE(matches(q, facts, facts.links[1])); // the child's name has 8 characters, the port's 3
    facts.links[0].name = ifname("mlx4_ib0");
    EXPECT_TRUE(matches(q, facts, facts.links[1]));
}

TEST(PlanOptedOut, SkippedProfileHasNoChangesAndOneFinding)
{
    Facts f{{}, {port_link(4, "ib0")}};
    f.links[0].features = {{tso, true, true}};
    const Intent intent{
        .ifindex = 4, .profile = "x", .mode = TransportMode::connected, .mtu = 65520, .p_key = 0x8002, .skip = true};
    const auto p = plan(f, intent, {.quirks = {lso_quirk()}});
    EXPECT_TRUE(p.changes.empty());
    ASSERT_EQ(p.findings.size(), 1U);
    EXPECT_EQ(text(p.findings[0]), "ib0: profile 'x' leaves everything to NetworkManager (rdma.skip yes)");
}

} // namespace
} // namespace nmib
