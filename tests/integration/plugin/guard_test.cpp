// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/guard.hpp"

#include "../dispatch/temp_dir.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

using nmib::GuardRecord;

namespace
{
constexpr GuardRecord largest{true, 3, false, INT32_MAX, UINT64_MAX};
}

TEST(GuardRecord, IsOneLineOfItsSizeWhateverIsInIt)
{
    for (const auto &r : {GuardRecord{}, largest}) {
        const auto text = r.str();
        EXPECT_EQ(text.size(), GuardRecord::size);
        EXPECT_EQ(text.find('\n'), GuardRecord::size - 1);
        const auto back = GuardRecord::parse(text);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->str(), text);
    }
    EXPECT_EQ(GuardRecord{}.str()[0], GuardRecord::mark(false));
    EXPECT_EQ(largest.str()[0], GuardRecord::mark(true));
}

TEST(GuardRecord, RefusesEveryDamage)
{
    const auto text = GuardRecord{false, 1, false, 4711, 99}.str();
    const auto used = text.find_last_not_of(" \n") + 1;
    for (std::size_t i = 0; i < used; i++) {
        auto damaged = text;
        damaged[i] = '\0';
        EXPECT_FALSE(GuardRecord::parse(damaged)) << i;
    }
    EXPECT_FALSE(GuardRecord::parse(""));
    EXPECT_FALSE(GuardRecord::parse(text.substr(1)));
    EXPECT_FALSE(GuardRecord::parse(text + " "));
    EXPECT_FALSE(GuardRecord::parse(std::string(GuardRecord::size, '\n')));
}

TEST(GuardRecord, CountsBadStartsInARow)
{
    EXPECT_EQ((GuardRecord{.unstable = 2, .calm = false, .pid = 1}.unstable_now()), 3u);
    EXPECT_EQ((GuardRecord{.unstable = 2, .calm = true, .pid = 1}.unstable_now()), 0u);
    EXPECT_EQ((GuardRecord{.unstable = 2, .calm = false, .pid = 0}.unstable_now()), 0u);
}

TEST(PluginInCharge, IsTheProcessThatSaysSoAndRuns)
{
    TempDir dir;
    const auto state = nmib::Dir::open(dir.path);
    ASSERT_TRUE(state);
    EXPECT_FALSE(nmib::plugin_in_charge(*state));
    const auto start = nmib::process_start(::getpid());
    ASSERT_TRUE(start);
    const auto write = [&](pid_t pid, std::uint64_t begun) {
        dir.write("guard", GuardRecord{.calm = false, .pid = pid, .start = begun}.str());
    };
    write(::getpid(), *start);
    EXPECT_EQ(nmib::plugin_in_charge(*state), ::getpid());
    write(::getpid(), *start + 1); // the number belongs to another process by now
    EXPECT_FALSE(nmib::plugin_in_charge(*state));
    write(0, *start);
    EXPECT_FALSE(nmib::plugin_in_charge(*state));
}

TEST(ProcessStart, TakesAnyNameOfAProcess)
{
    TempDir proc;
    proc.write("7/stat", "7 (a) R 1) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4242 20 21\n");
    EXPECT_EQ(nmib::process_start(7, proc.path), 4242u);
    proc.write("8/stat", "8 (short) S 1 2 3\n");
    EXPECT_FALSE(nmib::process_start(8, proc.path));
    EXPECT_FALSE(nmib::process_start(9, proc.path));
}
