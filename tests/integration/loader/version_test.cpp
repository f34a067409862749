// SPDX-License-Identifier: LGPL-2.1-or-later
#include "../dispatch/temp_dir.hpp"
#include "loader/plugin_symlink.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace nmib;

TEST(Version, PathsAndOtherTextAreRefused)
{
    for (const auto *bad : {"", "..", "../x", "1.42/4", "1 2", "v1", "1.4\n", "-1", ".1", "1\x7f", "1\xc3\xa9"})
        EXPECT_FALSE(is_version(bad)) << bad;
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
