// SPDX-License-Identifier: LGPL-2.1-or-later
// Which samples of error counters are kept, and how much a counter has risen.
#include "core/ib/counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;

std::vector<std::int64_t> times(const std::vector<CounterSample> &samples)
{
    std::vector<std::int64_t> all;
    for (const auto &s : samples) all.push_back(s.seconds);
    return all;
}

TEST(Counters, SamplesOfADayAndOneBeforeAreKept)
{
    std::vector<CounterSample> samples;
    for (const auto seconds : {0, 600, 86400}) add(samples, {.seconds = seconds});
    EXPECT_THAT(times(samples), ElementsAre(0, 600, 86400)) << "0 is not older than a day";
    add(samples, {.seconds = 86999});
    EXPECT_THAT(times(samples), ElementsAre(0, 600, 86400, 86999));
    add(samples, {.seconds = 87000});
    EXPECT_THAT(times(samples), ElementsAre(0, 600, 86400, 86999, 87000)) << "600 is a day old, 0 the one before";
    add(samples, {.seconds = 87601});
    EXPECT_THAT(times(samples), ElementsAre(600, 86400, 86999, 87000, 87601));
    add(samples, {.seconds = 400000});
    EXPECT_THAT(times(samples), ElementsAre(87601, 400000));
}

TEST(Counters, SampleSoonAfterAnotherReplacesTheLast)
{
    std::vector<CounterSample> samples;
    for (const auto seconds : {0, 599}) add(samples, {.seconds = seconds});
    EXPECT_THAT(times(samples), ElementsAre(0, 599)) << "one before the last is needed";
    add(samples, {.seconds = 599});
    EXPECT_THAT(times(samples), ElementsAre(0, 599));
    add(samples, {.seconds = 600});
    EXPECT_THAT(times(samples), ElementsAre(0, 599, 600)) << "10 minutes after the last but one";
    add(samples, {.seconds = 300});
    EXPECT_THAT(times(samples), ElementsAre(0, 300)) << "the clock begins anew with each boot";
    add(samples, {.seconds = 300});
    EXPECT_THAT(times(samples), ElementsAre(0, 300));
    samples.clear();
    for (const auto seconds : {1000, 1000, 1599}) add(samples, {.seconds = seconds});
    EXPECT_THAT(times(samples), ElementsAre(1000, 1599));
    samples.clear();
    for (const auto seconds : {1000, 1000}) add(samples, {.seconds = seconds});
    EXPECT_THAT(times(samples), ElementsAre(1000, 1000));
}

CounterSample sample(std::int64_t seconds, std::map<std::string, std::uint64_t> counters)
{
    return {.seconds = seconds, .ports = {{"p", std::move(counters)}}};
}

TEST(Counters, RiseIsTheSumOfTheWindowOverResets)
{
    const std::vector<CounterSample> samples = {sample(0, {{"e", 1}}), sample(100, {{"e", 3}}), sample(200, {{"e", 2}}),
                                                sample(300, {{"e", 10}})};
    EXPECT_EQ(rise(samples, "p", "e", 300), 2U + 2 + 8);
    EXPECT_EQ(rise(samples, "p", "e", 200), 2U + 2 + 8) << "from the sample before the window's first";
    EXPECT_EQ(rise(samples, "p", "e", 199), 2U + 8);
    EXPECT_EQ(rise(samples, "p", "e", 0), 8U);
    EXPECT_EQ(rise(samples, "p", "other", 300), std::nullopt);
    EXPECT_EQ(rise(samples, "q", "e", 300), std::nullopt);
    EXPECT_EQ(rise(std::span(samples).first(1), "p", "e", 300), std::nullopt) << "nothing to compare with";
    EXPECT_EQ(rise({}, "p", "e", 300), std::nullopt);
    const std::vector<CounterSample> gap = {sample(0, {{"e", 1}}), sample(100, {}), sample(200, {{"e", 5}})};
    EXPECT_EQ(rise(gap, "p", "e", 50), 4U) << "since the last sample that has it";
}

TEST(Counters, CalmRiseLeavesOutIntervalsInWhichTheLinkWentDown)
{
    const auto rises = [](std::uint64_t downs) {
        const std::vector<CounterSample> samples = {sample(0, {{"e", 1}, {link_downed, 7}}),
                                                    sample(100, {{"e", 3}, {link_downed, downs}}),
                                                    sample(200, {{"e", 4}, {link_downed, downs}})};
        return std::pair(rise(samples, "p", "e", 300, true), rise(samples, "p", "e", 300));
    };
    EXPECT_EQ(rises(7), std::pair(std::optional<std::uint64_t>(3), std::optional<std::uint64_t>(3)));
    EXPECT_EQ(rises(8), std::pair(std::optional<std::uint64_t>(1), std::optional<std::uint64_t>(3)));
    const std::vector<CounterSample> unknown = {sample(0, {{"e", 1}}), sample(100, {{"e", 3}, {link_downed, 1}}),
                                                sample(200, {{"e", 4}})};
    EXPECT_EQ(rise(unknown, "p", "e", 300, true), 3U);
    const std::vector<CounterSample> only = {sample(0, {{"e", 1}, {link_downed, 7}}),
                                             sample(100, {{"e", 3}, {link_downed, 8}})};
    EXPECT_EQ(rise(only, "p", "e", 300, true), 0U) << "known, and nothing";
}

TEST(Counters, PortWhoseLinkIsNotUpHasOnlyItsDowns)
{
    RdmaPort port{.number = 2};
    port.counters = {{"symbol_error", 7}, {link_downed, 1}};
    RdmaDevice device{.name = "mlx5_0"};
    device.ports = {port, {.number = 3}};
    EXPECT_EQ(counters_key(device, port), "mlx5_0/2");
    port.guid = Guid{0};
    EXPECT_EQ(counters_key(device, port), "mlx5_0/2") << "a port without a GUID has 0";
    device.ports[0].guid = Guid{0x1234};
    const auto key = Guid{0x1234}.str();
    EXPECT_EQ(counters_key(device, device.ports[0]), key);
    auto taken = take_sample({&device, 1}, 9);
    EXPECT_EQ(taken.seconds, 9);
    ASSERT_EQ(taken.ports.size(), 1U) << "a port without counters has no entry";
    EXPECT_EQ(taken.ports[key].size(), 2U) << "the state is unknown";
    device.ports[0].phys_state = PhysState::link_up;
    EXPECT_EQ(take_sample({&device, 1}, 9).ports[key].size(), 2U);
    device.ports[0].phys_state = PhysState::polling;
    taken = take_sample({&device, 1}, 9);
    EXPECT_THAT(taken.ports[key], ElementsAre(std::pair(std::string(link_downed), 1U)));
}

} // namespace
} // namespace nmib
