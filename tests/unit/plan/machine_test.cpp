// SPDX-License-Identifier: LGPL-2.1-or-later
// The remaining requests of a profile that is already active.
#include "verbs/plan/machine.hpp"

#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

Profile profile(bool skip)
{
    Profile p;
    p.id = "p";
    p.intent = {.profile = "p", .mode = TransportMode::connected, .mtu = 65520, .p_key = 0x8001, .skip = skip};
    return p;
}

TEST(KeepWhatHolds, ChangedOrGeneratedProfileKeepsOnlyNameAndSkip)
{
    for (const bool skip : {false, true}) {
        auto same = profile(skip);
        keep_what_holds(same, false);
        EXPECT_EQ(same.intent.mode, TransportMode::connected);
        EXPECT_EQ(same.intent.mtu, 65520U);
        EXPECT_EQ(same.intent.skip, skip);
        auto changed = profile(skip), generated = profile(skip);
        generated.generated = true;
        keep_what_holds(changed, true);
        keep_what_holds(generated, false);
        for (const auto &p : {changed, generated}) {
            EXPECT_EQ(p.intent.profile, "p");
            EXPECT_FALSE(p.intent.mode || p.intent.mtu || p.intent.p_key);
            EXPECT_EQ(p.intent.skip, skip) << "a profile that opted out stays so";
        }
    }
}

} // namespace
} // namespace nmib::cli
