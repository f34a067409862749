// SPDX-License-Identifier: LGPL-2.1-or-later
// The verdict on a P_Key child, for all combinations of values.
#include "core/plan/leftover.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace nmib
{
namespace
{

ChildUse use(unsigned bits)
{
    const auto bit = [&](unsigned n) { return (bits >> n & 1U) != 0; };
    return {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6)};
}
constexpr unsigned every = 1U << 7;

TEST(Leftover, OnlyIdleChildrenOfNetworkManagerAreRemoved)
{
    for (unsigned bits = 0; bits < every; bits++) {
        const auto u = use(bits);
        const bool idle = u.child && u.made && !u.taken && !u.profile && !u.request;
        const bool waits = !u.carrier && u.may_wait;
        EXPECT_EQ(leftover(u) == Leftover::yes, idle && !waits) << bits;
        EXPECT_EQ(leftover(u) == Leftover::later, idle && waits) << bits;
    }
}

TEST(Leftover, ChildInUseIsNeverRemoved)
{
    for (unsigned bits = 0; bits < every; bits++)
        for (auto more : {&ChildUse::taken, &ChildUse::profile, &ChildUse::request}) {
            auto u = use(bits);
            u.*more = true;
            EXPECT_NE(leftover(u), Leftover::yes) << bits;
            EXPECT_NE(leftover(u), Leftover::later) << bits;
        }
}

TEST(Leftover, RemovalIsNotPostponedWithoutAWait)
{
    for (unsigned bits = 0; bits < every; bits++) {
        auto u = use(bits);
        u.may_wait = false;
        EXPECT_NE(leftover(u), Leftover::later) << bits;
    }
}

TEST(Leftover, EveryVerdictHasItsOwnReason)
{
    std::set<std::string> reasons;
    for (unsigned bits = 0; bits < every; bits++) reasons.insert(reason(leftover(use(bits))));
    EXPECT_EQ(reasons.size(), 6U);
    EXPECT_FALSE(reasons.contains(""));
}

} // namespace
} // namespace nmib
