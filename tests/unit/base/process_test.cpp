// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/base/process.hpp"

#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>

namespace nmib::cli
{
namespace
{

TEST(RunFor, OutputAndExitCodeAreReturned)
{
    const auto run = run_for({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, 10);
    ASSERT_TRUE(run) << run.error().what;
    EXPECT_EQ(run->code, 3);
    EXPECT_FALSE(run->late);
    EXPECT_EQ(run->out, "out\n");
    EXPECT_EQ(run->err, "err\n");
}

TEST(RunFor, RunsInEnglishWithEmptyInput)
{
    setenv("LC_MESSAGES", "de_DE.UTF-8", 1);
    const auto run = run_for({"/bin/sh", "-c", "echo $LC_ALL $LC_MESSAGES; cat"}, 10);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->out, "C\n");
}

TEST(RunFor, RunsWithInputAndUnchangedEnvironment)
{
    setenv("LC_MESSAGES", "de_DE.UTF-8", 1);
    const auto run = run_for({"/bin/sh", "-c", "echo $LC_MESSAGES; cat"}, 10, "typed\n", /*in_english=*/false);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->out, "de_DE.UTF-8\ntyped\n");
}

TEST(RunProgram, ErrorIsTheLastLineOrTheExitCode)
{
    EXPECT_TRUE(run_program({"/bin/true"}));
    EXPECT_EQ(run_program({"/bin/sh", "-c", "echo one >&2; echo two >&2; exit 1"}).error().what, "two");
    EXPECT_EQ(run_program({"/bin/sh", "-c", "exit 3"}).error().what, "exit code 3");
}

TEST(RunFor, ProgramIsKilledAfterTheTimeLimit)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto run = run_for({"/bin/sleep", "60"}, 1);
    ASSERT_TRUE(run);
    EXPECT_TRUE(run->late);
    EXPECT_EQ(run->code, -1);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(RunFor, MissingProgramIsAnError)
{
    EXPECT_FALSE(run_for({"/nonexistent/program"}, 1));
    const auto run = run_for({"/bin/sh", "-c", "kill -9 $$"}, 10);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->code, -1);
    EXPECT_EQ(run->signal, 9);
    EXPECT_FALSE(run->late);
}

} // namespace
} // namespace nmib::cli
