// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/moment.hpp"

#include "make.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace nmib
{
namespace
{

constexpr Moment all[] = {Moment::prepare,    Moment::config,  Moment::activated, Moment::carrier,
                          Moment::dispatched, Moment::by_hand, Moment::forecast};

Intent asking(Mtu mtu)
{
    Intent i{.ifindex = 4, .profile = "x", .mode = TransportMode::connected, .mtu = mtu};
    i.features = {{*FeatureName::parse("tx-tcp-segmentation"), true}};
    return i;
}

/// One letter for each moment, in the order of `all`: y if the moment acts on the value.
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

TEST(Moment, ModeIsPlannedOnlyInPrepareByHandAndForecast)
{
    const auto mode = [](const Situation &s) {
        return row([&](Moment m) { return narrowed(asking(4092), m, s).mode.has_value(); });
    };
    EXPECT_EQ(mode({}), "y----yy");
    EXPECT_EQ(mode({.assumed = true}), "-------");
}

TEST(Moment, MtuThatNetworkManagerSetIsKept)
{
    EXPECT_EQ(mtu_row(asking(4092), {.mtu = 4092, .before = 4092}), "-----yy");
    EXPECT_EQ(mtu_row(asking(4092), {.mtu = 4092}), "-----yy");
    EXPECT_EQ(mtu_row(asking(0), {.mtu = 1500}), "-------");
    EXPECT_EQ(mtu_row(asking(1279), {.mtu = 1000}), "------y"); // NetworkManager's task if IPv6 is in use
}

TEST(Moment, MtuThatWasNotGrantedIsRaisedOrReported)
{
    EXPECT_EQ(mtu_row(asking(4092), {.mtu = 2044}), "--y-yyy");
    EXPECT_EQ(mtu_row(asking(4092), {.assumed = true, .mtu = 2044}), "-------");
    EXPECT_TRUE(narrowed(asking(4092), Moment::dispatched, {.mtu = 2044}).mtu_is_settled);
    EXPECT_FALSE(narrowed(asking(4092), Moment::activated, {.mtu = 2044}).mtu_is_settled);
    EXPECT_FALSE(narrowed(asking(4092), Moment::activated, {.mtu = 2044, .before = 2044}).mtu_is_settled);
    // A script set the MTU during the activation.
    EXPECT_TRUE(narrowed(asking(4092), Moment::activated, {.mtu = 1800, .before = 2044}).mtu_is_settled);
    EXPECT_TRUE(
        narrowed(asking(4092), Moment::activated, {.mtu = 1800, .before = 1800, .by_hand = true}).mtu_is_settled);
    EXPECT_TRUE(narrowed(asking(4092), Moment::activated, {.mtu = 2044, .enhanced = true}).mtu_is_settled);
    // Reapply of an address: NetworkManager requests no MTU.
    EXPECT_TRUE(narrowed(asking(4092), Moment::activated, {.mtu = 2044, .requested = false}).mtu_is_settled);
    EXPECT_FALSE(narrowed(asking(4092), Moment::activated, {.mtu = 1500, .enhanced = true}).mtu_is_settled);
}

TEST(Moment, MtuThatTheKernelChangedIsCorrectedOrReported)
{
    const auto at_carrier = [](Mtu asked, Mtu before, Mtu now) {
        return narrowed(asking(asked), Moment::carrier, {.mtu = now, .before = before}).mtu.has_value();
    };
    EXPECT_TRUE(at_carrier(2044, 2044, 4092));  // raised above the profile's
    EXPECT_TRUE(at_carrier(3000, 2044, 4092));  // lowered before, and raised above the profile's
    EXPECT_FALSE(at_carrier(2044, 4092, 4092)); // set by hand
    EXPECT_FALSE(at_carrier(2000, 2000, 2044)); // no group has the limit 2000, so it was set by hand
    EXPECT_FALSE(at_carrier(2044, 2044, 4000));
    EXPECT_FALSE(at_carrier(2044, 2044, 65520));
    EXPECT_FALSE(at_carrier(4092, 2044, 4092)); // granted
    EXPECT_TRUE(at_carrier(4092, 4092, 2044));  // lowered below the profile's: reported
    EXPECT_FALSE(at_carrier(4092, 1500, 1500)); // set by hand
    const Situation connected{.mtu = 4092, .mode = TransportMode::connected, .before = 2044};
    EXPECT_FALSE(narrowed(asking(2044), Moment::carrier, connected).mtu)
        << "no group changes the MTU of connected mode";
}

TEST(Moment, OtherPropertiesAreNotNarrowed)
{
    auto whole = asking(4092);
    whole.p_key = 0x8002;
    whole.anywhere = true;
    for (const auto m : all) {
        const auto part = narrowed(whole, m, {.assumed = true});
        EXPECT_EQ(part.ifindex, 4);
        EXPECT_EQ(part.profile, "x");
        EXPECT_EQ(part.p_key, 0x8002);
        EXPECT_TRUE(part.anywhere);
        EXPECT_EQ(part.features.size(), 1U);
    }
}

TEST(Moment, OffloadsThatTheProfileOverridesAreReported)
{
    EXPECT_EQ(row([](Moment m) { return !narrowed(asking(0), m).offloads_are_settled; }), "-yyyyyy");
    EXPECT_EQ(row([](Moment m) { return !narrowed(asking(0), m, {.overridden = true}).offloads_are_settled; }),
              "-------");
}

/// The words of docs/changes.md for the rule of a moment.
std::string mode_word(Moment m)
{
    if (!narrowed(asking(4092), m).mode) return "--";
    return m == Moment::prepare ? "choose" : "write";
}

std::string mtu_word(Moment m)
{
    const auto granted = narrowed(asking(4092), m, {.mtu = 4092}), lower = narrowed(asking(4092), m, {.mtu = 2044});
    if (granted.mtu) return "write";
    if (lower.mtu) return lower.mtu_is_settled ? "report" : "raise";
    return narrowed(asking(2044), m, {.mtu = 4092, .before = 2044}).mtu ? "correct" : "--";
}

std::string offload_word(Moment m) { return narrowed(asking(0), m).offloads_are_settled ? "--" : "write"; }

TEST(Moment, DocumentationHasTheSameTable)
{
    constexpr std::pair<Moment, const char *> names[] = {
        {Moment::prepare, "prepare"},  {Moment::config, "config"},         {Moment::activated, "activated"},
        {Moment::carrier, "carrier"},  {Moment::dispatched, "dispatched"}, {Moment::by_hand, "by_hand"},
        {Moment::forecast, "forecast"}};
    static_assert(std::size(names) == std::size(all));
    std::ifstream page(test::source("docs/changes.md"));
    std::map<std::string, std::string> rows;
    for (std::string line; std::getline(page, line);) {
        std::vector<std::string> cells;
        std::istringstream cut(line);
        for (std::string cell; std::getline(cut, cell, '|');) cells.push_back(cell);
        if (cells.size() == 6 && cells[1].starts_with(" `"))
            rows[cells[1]] = cells[3] + "|" + cells[4] + "|" + cells[5];
    }
    EXPECT_EQ(rows.size(), std::size(all));
    for (const auto &[moment, name] : names)
        EXPECT_EQ(rows[std::string(" `") + name + "` "],
                  " " + mode_word(moment) + " | " + mtu_word(moment) + " | " + offload_word(moment) + " ");
}

} // namespace
} // namespace nmib
