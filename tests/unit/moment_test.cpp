// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/moment.hpp"

#include <gtest/gtest.h>

#include <string>

namespace nmib
{
namespace
{

constexpr Moment all[] = {Moment::prepare,   Moment::config,       Moment::activated, Moment::carrier,
                          Moment::reapply,   Moment::disconnected, Moment::pre_up,    Moment::up,
                          Moment::reapplied, Moment::by_hand,      Moment::forecast};

Intent asking(Mtu mtu)
{
    Intent i{.ifindex = 4, .profile = "x", .mode = TransportMode::connected, .mtu = mtu};
    i.features = {{*FeatureName::parse("tx-tcp-segmentation"), true}};
    return i;
}

/// One letter for each moment, in the order of `all`: does it act on that?
template<class F> std::string row(F &&acts)
{
    std::string letters;
    for (const auto m : all) letters += acts(m) ? 'y' : '-';
    return letters;
}

std::string mtu_row(const Intent &intent, const Situation &situation = {})
{
    return row([&](Moment m) { return narrowed(intent, m, situation).mtu.has_value(); });
}

TEST(Moment, TheMode)
{
    const auto mode = [](const Situation &s) {
        return row([&](Moment m) { return narrowed(asking(4092), m, s).mode.has_value(); });
    };
    EXPECT_EQ(mode({}), "yy----yy-yy");
    EXPECT_EQ(mode({.assumed = true}), "-----------");
}

TEST(Moment, AnMtuAsANumber)
{
    EXPECT_EQ(mtu_row(asking(4092)), "yyyyy-yy-yy");
    EXPECT_EQ(mtu_row(asking(4092), {.assumed = true, .plugin = true, .leased_mtu = true}), "yyyyy-yy-yy");
    EXPECT_EQ(mtu_row(asking(1279)), "----------y"); // NetworkManager's, where IPv6 is in use
    EXPECT_EQ(mtu_row(asking(1280)), "yyyyy-yy-yy");
}

TEST(Moment, AnAutomaticMtuIsActedOnBeforeAnybodySaidAnother)
{
    EXPECT_EQ(mtu_row(asking(0)), "yy-----y--y");
    EXPECT_EQ(mtu_row(asking(0), {.assumed = true}), "-------y---");
    EXPECT_EQ(mtu_row(asking(0), {.plugin = true}), "yy--------y");
    EXPECT_EQ(mtu_row(asking(0), {.leased_mtu = true}), "yy--------y");
    EXPECT_EQ(mtu_row(asking(0), {.mtu_is_new = true}), "yy--y--y--y");
}

TEST(Moment, AnAutomaticMtuOfABondsPortIsTheBonds)
{
    auto port = asking(0);
    port.controlled = true;
    EXPECT_EQ(mtu_row(port, {.mtu_is_new = true}), "-----------");
    port.mtu = 4092;
    EXPECT_EQ(mtu_row(port), "yyyyy-yy-yy");
}

TEST(Moment, WithoutACarrierNoMtu) { EXPECT_FALSE(narrowed(asking(4092), Moment::carrier, {.carrier = false}).mtu); }

TEST(Moment, EverythingElseStays)
{
    auto whole = asking(4092);
    whole.p_key = 0x8002;
    whole.anywhere = true;
    for (const auto m : all) {
        const auto part = narrowed(whole, m, {.carrier = false, .assumed = true});
        EXPECT_EQ(part.ifindex, 4);
        EXPECT_EQ(part.profile, "x");
        EXPECT_EQ(part.p_key, 0x8002);
        EXPECT_TRUE(part.anywhere);
        EXPECT_EQ(part.features.size(), 1U);
    }
}

} // namespace
} // namespace nmib
