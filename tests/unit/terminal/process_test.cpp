// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/process.hpp"

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

TEST(RunFor, InEnglishNoVariableOfTheLanguageIsLeft)
{
    for (const auto *name : {"LC_NUMERIC", "LANG", "LANGUAGE"}) setenv(name, "de_DE.UTF-8", 1);
    setenv("NMIB_KEPT", "kept", 1);
    const auto run = run_for({"/usr/bin/env"}, 10);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->out.find("de_DE"), std::string::npos) << run->out;
    EXPECT_NE(run->out.find("NMIB_KEPT=kept\n"), std::string::npos) << run->out;
    EXPECT_NE(run->out.find("\nPATH=/usr/sbin:/usr/bin:/sbin:/bin\n"), std::string::npos) << run->out;
    EXPECT_EQ(run->out.find("\nPATH="), run->out.rfind("\nPATH=")) << run->out;
}

TEST(RunFor, LongOutputIsComplete)
{
    const auto run =
        run_for({"/bin/sh", "-c", "head -c 100000 /dev/zero | tr '\\0' x; cat"}, 10, std::string(70000, 'y'));
    ASSERT_TRUE(run);
    EXPECT_EQ(run->out, std::string(100000, 'x') + std::string(70000, 'y'));
}

TEST(FindProgram, IsFoundInPathOrInTheSystemsPath)
{
    EXPECT_NE(find_program("sh"), "");
    EXPECT_EQ(find_program("no-such-program"), "");
    EXPECT_TRUE(find_system_program("sh").ends_with("bin/sh"));
    EXPECT_EQ(find_system_program("no-such-program"), "");
}

TEST(RunProgram, SignalIsReported)
{
    EXPECT_EQ(run_program({"/bin/sh", "-c", "kill -9 $$"}).error().what, "ended by signal 9");
    EXPECT_FALSE(run_program({"/nonexistent/program"}));
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
