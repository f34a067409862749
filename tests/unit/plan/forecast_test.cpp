// SPDX-License-Identifier: LGPL-2.1-or-later
// Forecasts: the state of an interface, the request, the result.
#include "make.hpp"
#include "verbs/plan/forecast.hpp"

#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

using test::ifname;

Facts port_with(const std::vector<PKey> &keys)
{
    Facts facts;
    facts.device = test::connectx(0xa0);
    facts.device->ports[0].pkeys = test::pkey_table(keys);
    facts.links = {test::port_link(2, "ib0"), test::child_link(3, "ib0.8002", 2, 0x8002)};
    for (auto &link : facts.links) link.features = {{tso_feature, true, true}};
    return facts;
}

Policy quirky()
{
    Policy policy;
    policy.quirks = {test::lso_quirk()};
    return policy;
}

Profile asking(TransportMode mode, Mtu mtu)
{
    Profile p;
    p.id = p.uuid = "p";
    p.intent = {.profile = "p", .mode = mode, .mtu = mtu};
    return p;
}

TEST(Forecast, ForecastHasNowAskedAndOutcome)
{
    const auto f = *forecast_on(port_with({test::pkey(0x8002)}), ifname("ib0"), asking(TransportMode::connected, 4092),
                                quirky(), Moment::forecast);
    EXPECT_EQ(now(f).mode, TransportMode::datagram);
    EXPECT_EQ(now(f).mtu, 2044U);
    EXPECT_FALSE(now(f).at_most);
    EXPECT_EQ(now(f).tso, true);
    EXPECT_EQ(now(f).carrier, true);
    EXPECT_EQ(asked(f).mode, TransportMode::connected);
    EXPECT_EQ(asked(f).mtu, 4092U);
    EXPECT_FALSE(asked(f).tso);
    EXPECT_EQ(outcome(f).mode, TransportMode::connected);
    EXPECT_EQ(outcome(f).mtu, 4092U);
    EXPECT_TRUE(outcome(f).at_most) << "the subnet has a word in it";
    EXPECT_EQ(outcome(f).tso, false);
    EXPECT_FALSE(outcome(f).carrier) << "which nobody can know";
}

TEST(Forecast, AutomaticMtuOfAnActiveProfileIsNotChanged)
{
    const auto f = *forecast_on(port_with({}), ifname("ib0"), asking(TransportMode::datagram, 0), {}, Moment::by_hand);
    EXPECT_EQ(asked(f).mtu, 0U);
    EXPECT_EQ(outcome(f).mtu, 2044U);
    EXPECT_FALSE(outcome(f).at_most);
    EXPECT_TRUE(f.plan.changes.empty());
    const auto switched =
        *forecast_on(port_with({}), ifname("ib0"), asking(TransportMode::connected, 0), {}, Moment::by_hand);
    EXPECT_EQ(outcome(switched).mtu, mtu::connected_maximum);
    EXPECT_TRUE(outcome(switched).at_most);
}

TEST(Forecast, MembershipComesFromThePKeyTable)
{
    const auto of = [](const std::vector<PKey> &keys, bool known = true) {
        auto facts = port_with(keys);
        if (!known) facts.device->ports[0].pkeys = {};
        const auto f = *forecast_on(std::move(facts), ifname("ib0.8002"), {}, {}, Moment::by_hand);
        return std::string(now(f).membership ? now(f).membership : "?");
    };
    EXPECT_EQ(of({test::pkey(0xffff), test::pkey(0x8002)}), "full");
    EXPECT_EQ(of({test::pkey(0xffff), test::pkey(0x0002)}), "limited");
    EXPECT_EQ(of({test::pkey(0x0002), test::pkey(0x8002)}), "full");
    EXPECT_EQ(of({test::pkey(0xffff)}), "absent");
    EXPECT_EQ(of({}, false), "?");
}

TEST(Forecast, ChildThatDoesNotExistHasNoCurrentState)
{
    auto profile = asking(TransportMode::datagram, 0);
    profile.intent.parent = ifname("ib0");
    profile.intent.p_key = 0x8003;
    const auto f = *forecast_child(port_with({test::pkey(0x0003)}), profile, quirky(), {});
    EXPECT_FALSE(now(f).mode || now(f).mtu || now(f).p_key || now(f).carrier || now(f).tso);
    EXPECT_EQ(asked(f).p_key, 0x8003);
    EXPECT_EQ(outcome(f).mtu, mtu::datagram_maximum);
    EXPECT_TRUE(outcome(f).at_most);
    EXPECT_EQ(std::string(outcome(f).membership), "limited");
    EXPECT_EQ(outcome(f).tso, false);
}

TEST(Future, QuirkChangeNamesFeatureReasonAndQuirk)
{
    auto policy = quirky();
    const Change off = SetFeature{2, ifname("ib0"), tso_feature, false, 0};
    policy.quirks[0].reason = "this card corrupts large sends";
    EXPECT_EQ(future(off, policy),
              "TSO will be switched off: this card corrupts large sends (quirk " + policy.quirks[0].name + ")");
    policy.quirks[0].reason.clear();
    EXPECT_EQ(future(off, policy), "TSO will be switched off (quirk " + policy.quirks[0].name + ")");
    EXPECT_EQ(future(SetFeature{2, ifname("ib0"), test::feature("rx-gro"), true, 0}, policy),
              "rx-gro will be switched on (quirk " + policy.quirks[0].name + ")");
}

} // namespace
} // namespace nmib::cli
