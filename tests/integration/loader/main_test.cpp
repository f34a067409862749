// SPDX-License-Identifier: LGPL-2.1-or-later
// The program, with paths of a tree instead of the installed ones.
#include "../dispatch/temp_dir.hpp"
#include "config.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <sys/stat.h>
#include <vector>

namespace
{
std::string object, libdir, binary;
}

#undef NMIB_OBJECT
#undef NMIB_NM_LIBDIR
#undef NMIB_NM_BINARY
#define NMIB_OBJECT object
#define NMIB_NM_LIBDIR libdir
#define NMIB_NM_BINARY binary
#define main loader_main
#include "loader/main.cpp" // NOLINT(bugprone-suspicious-include)
#undef main

namespace
{
struct Ran {
    int status;
    std::string out, err;
};

struct LoaderMain : testing::Test {
    TempDir dir;
    LoaderMain()
    {
        object = dir / "own/plugin.so", libdir = dir / "nm", binary = dir / "nm-binary";
        dir.write("own/plugin.so", "");
        dir.write("nm/1.42.4/wifi.so", "");
        program("echo 1.42.4");
    }
    void program(const std::string &text) const
    {
        dir.write("nm-binary", "#!/bin/sh\n" + text + "\n");
        ::chmod(binary.c_str(), 0755);
    }
    static Ran run(std::initializer_list<const char *> words)
    {
        std::vector<std::string> text{"nm-ib-loader"};
        text.insert(text.end(), words.begin(), words.end());
        std::vector<char *> argv;
        for (auto &t : text) argv.push_back(t.data());
        argv.push_back(nullptr);
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = loader_main(static_cast<int>(text.size()), argv.data());
        return {status, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
    }
};

const std::string usage_text =
    "usage: nm-ib-loader            symlink the device plugin into the installed NetworkManager's directory\n"
    "       nm-ib-loader --remove   remove all such symlinks\n";
} // namespace

TEST_F(LoaderMain, SymlinkIsMadeAndRemovedWithALine)
{
    const auto symlink = libdir + "/1.42.4/plugin.so";
    auto ran = run({});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, "nm-ib-loader: made the symlink " + symlink + "\n");
    EXPECT_EQ(ran.err, "");
    EXPECT_TRUE(dir.has("nm/1.42.4/plugin.so"));
    ran = run({});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, "");
    ran = run({"--remove"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, "nm-ib-loader: removed the symlink " + symlink + "\n");
    EXPECT_FALSE(dir.has("nm/1.42.4/plugin.so"));
}

TEST_F(LoaderMain, OtherArgumentsPrintTheUsage)
{
    auto ran = run({"--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, usage_text);
    EXPECT_EQ(ran.err, "");
    for (const auto &words :
         {std::initializer_list<const char *>{"--removed"}, {""}, {"--remove", "x"}, {"x", "--remove"}}) {
        ran = run(words);
        EXPECT_EQ(ran.status, 2);
        EXPECT_EQ(ran.out, "");
        EXPECT_EQ(ran.err, usage_text);
    }
    EXPECT_FALSE(dir.has("nm/1.42.4/plugin.so"));
}

TEST_F(LoaderMain, ErrorIsOneLineAndStatusOne)
{
    program("exit 1");
    auto ran = run({});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.out, "");
    EXPECT_EQ(ran.err, "nm-ib-loader: " + binary + " --version: no answer\n");
    libdir = dir / "no\nthing";
    dir.write("no\nthing", "");
    ran = run({"--remove"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.err, "nm-ib-loader: " + std::string(dir / "no\\x0athing") + ": Not a directory\n");
    libdir = dir / "lib\x01/nm";
    dir.write("lib\x01/nm/1.42.4/wifi.so", "");
    program("echo 1.42.4");
    EXPECT_EQ(run({}).out,
              "nm-ib-loader: made the symlink " + std::string(dir / "lib\\x01/nm") + "/1.42.4/plugin.so\n");
}
