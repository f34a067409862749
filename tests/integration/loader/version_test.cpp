// SPDX-License-Identifier: LGPL-2.1-or-later
#include "../dispatch/temp_dir.hpp"
#include "loader/plugin_symlink.hpp"
#include "unit/fake_calls.hpp"

#include <cerrno>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <vector>

using namespace nmib;

TEST(Version, PathsAndOtherTextAreRefused)
{
    for (const auto *bad : {"", "..", "../x", "1.42/4", "1 2", "v1", "1.4\n", "-1", ".1", "1\x7f", "1\xc3\xa9"})
        EXPECT_FALSE(is_version(bad)) << bad;
    for (const auto *good : {"0", "9", "1~", "1!"}) EXPECT_TRUE(is_version(good)) << good;
    for (const auto *bad : {":1", "1/", "1\t", "1 "}) EXPECT_FALSE(is_version(bad)) << bad;
    EXPECT_TRUE(is_version(std::string(64, '1')));
    EXPECT_FALSE(is_version(std::string(65, '1')));
}

/// The output of distributions' packages: upstream and Debian, SUSE, Ubuntu, EL 8 to 10 and z-streams, Fedora, a copr.
TEST(Version, VersionsOfDistributionsAreAccepted)
{
    for (const auto *good : {"1.42.4", "1.52.1", "1.56.1", "1.42.4-dev", "1.46.0", "1.40.16-13.el8_9", "1.48.10-2.el9",
                             "1.48.10-5.el9_5", "1.52.0-3.el9_6", "1.52.0-7.el10_0", "1.54.1-2.fc43",
                             "1.56.1-1~rc1.fc44", "1.50.0-1^20250101git.el9", "1.59~rc1+git"})
        EXPECT_TRUE(is_version(good)) << good;
}

TEST(Version, VersionIsReadFromTheProgram)
{
    const TempDir dir;
    const auto program = [&](const std::string &text) {
        dir.write("nm", "#!/bin/sh\n" + text);
        ::chmod((dir / "nm").c_str(), 0755);
        return ask_version(dir / "nm");
    };
    const auto good = program("[ \"$1\" = --version ] && echo 1.42.4");
    ASSERT_TRUE(good) << good.error().what;
    EXPECT_EQ(*good, "1.42.4");
    EXPECT_FALSE(program("echo 1.42.4 or so"));
    EXPECT_FALSE(program("exit 1"));
    EXPECT_FALSE(program("head -c 100000 /dev/zero | tr '\\0' 1"));
    EXPECT_FALSE(ask_version(dir / "missing"));
}

struct AskVersion : testing::Test {
    const TempDir dir;
    const std::string nm = dir / "nm";
    void program(const std::string &text) const
    {
        dir.write("nm", "#!/bin/sh\n" + text);
        ::chmod(nm.c_str(), 0755);
    }
};

TEST_F(AskVersion, ErrorNamesWhatIsMissing)
{
    const auto error = [&] { return ask_version(nm).error().what; };
    EXPECT_EQ(error(), nm + ": No such file or directory");
    program("exit 1");
    EXPECT_EQ(error(), nm + " --version: no answer");
    program("echo; echo NetworkManager");
    EXPECT_EQ(error(), nm + " --version: no version in its answer");
    program("echo 1.42$NMIB_WORD");
    ::setenv("NMIB_WORD", ".7", 1);
    EXPECT_EQ(*ask_version(nm), "1.42") << "the environment is empty";
    ::unsetenv("NMIB_WORD");
    const test::FakeCalls fake(test::fail("pipe2", EMFILE));
    EXPECT_EQ(error(), "pipe: Too many open files");
}

TEST_F(AskVersion, AnswerMayComeInPieces)
{
    program("echo 1.42.4-5.el9");
    const test::FakeCalls fake(
        [](std::string_view call, const std::string &) { return call == "read" ? test::one_byte : test::pass; });
    EXPECT_EQ(*ask_version(nm), "1.42.4-5.el9");
}

TEST_F(AskVersion, FailingReadIsNoAnswer)
{
    program("echo 1.42.4");
    const test::FakeCalls fake(test::fail("read", EIO));
    EXPECT_EQ(ask_version(nm).error().what, nm + " --version: no answer");
}

/// The clock of the test stands still: each wait ends at once.
TEST_F(AskVersion, SilentProgramIsKilledAfterThirtySecondsTwice)
{
    program("exec 0</dev/null 2>&0; echo $$ >" + nm + ".pid; exec sleep 1000");
    std::vector<std::string> calls;
    unsigned pauses = 0;
    const test::FakeCalls fake([&](std::string_view call, const std::string &what) {
        if (call == "nanosleep") {
            EXPECT_EQ(what, "10000000");
            return pauses++, test::pretend;
        }
        if (call == "poll" || call == "kill") calls.push_back(std::string(call) + " " + what);
        return call == "poll" ? test::pretend : test::pass;
    });
    EXPECT_EQ(ask_version(nm).error().what, nm + " --version: no answer");
    EXPECT_EQ(calls, (std::vector<std::string>{"poll 30000", "kill 9"}));
    EXPECT_EQ(pauses, 3000U);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no zombie is left";
}

TEST_F(AskVersion, ProgramThatEndsIsNotKilled)
{
    program("echo 1.42.4");
    unsigned kills = 0;
    const test::FakeCalls fake([&](std::string_view call, const std::string &) {
        kills += call == "kill";
        return test::pass;
    });
    EXPECT_EQ(*ask_version(nm), "1.42.4");
    EXPECT_EQ(kills, 0U);
}
