// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/dir.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = Error::Kind;

struct DirTest : testing::Test {
    test::Tree tree;
    Dir dir = *Dir::open(tree.path());
};

TEST_F(DirTest, ReadsWholeFilesUpToTheLimit)
{
    tree.file("a", "12345");
    EXPECT_EQ(*dir.read("a"), "12345");
    EXPECT_EQ(*dir.read("a", 5), "12345");
    const auto large = dir.read("a", 4);
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().kind, Kind::invalid);
    EXPECT_EQ(large.error().what, tree.path("a") + ": larger than 4 bytes");
    tree.file("empty", "");
    EXPECT_EQ(*dir.read("empty"), "");
    tree.file("nul", std::string_view("a\0b", 3));
    EXPECT_EQ(dir.read("nul")->size(), 3U);
}

TEST_F(DirTest, ReadRefusesOtherFileTypesWithoutBlocking)
{
    tree.dir("d");
    tree.fifo("f");
    for (const char *name : {"d", "f"}) {
        const auto r = dir.read(name);
        ASSERT_FALSE(r) << name;
        EXPECT_EQ(r.error().kind, Kind::invalid);
        EXPECT_THAT(r.error().what, HasSubstr("not a regular file"));
    }
    EXPECT_EQ(dir.read("missing").error().kind, Kind::absent);
    EXPECT_FALSE(dir.read(""));
}

TEST_F(DirTest, PathsOutsideTheDirectoryAreRefused)
{
    test::Tree other;
    other.file("secret", "x");
    tree.file("in/file", "y");
    tree.link("absolute", other.path("secret"));
    tree.link("up", "../" + other.path().substr(other.path().rfind('/') + 1) + "/secret");
    tree.link("loop", "loop");
    tree.link("in/here", "../in/file");
    EXPECT_FALSE(dir.read("absolute"));
    EXPECT_FALSE(dir.read("up"));
    EXPECT_FALSE(dir.read("loop"));
    EXPECT_FALSE(dir.read(other.path("secret")));
    EXPECT_FALSE(dir.sub(".."));
    EXPECT_FALSE(dir.exists("up"));
    EXPECT_TRUE(*dir.exists("in/here"));
    EXPECT_FALSE(*dir.exists("missing"));
    EXPECT_EQ(*dir.read("in/here"), "y");
    EXPECT_FALSE(dir.sub("in")->read("here")); // leaves "in"
}

TEST_F(DirTest, FileThatOthersCanWriteIsNotTrusted)
{
    tree.file("good", "x", 0644);
    EXPECT_TRUE(dir.read_trusted("good"));
    for (const mode_t mode : {0664U, 0646U, 0666U, 0777U, 0620U}) {
        tree.file("bad", "x", mode);
        const auto r = dir.read_trusted("bad");
        ASSERT_FALSE(r) << mode;
        EXPECT_EQ(r.error().kind, Kind::denied);
        EXPECT_THAT(r.error().what, HasSubstr("chmod go-w"));
        EXPECT_TRUE(dir.read("bad"));
    }
    if (::geteuid() != 0) return;
    ASSERT_EQ(::chown(tree.path("good").c_str(), 12345, 0), 0);
    EXPECT_EQ(dir.read_trusted("good").error().kind, Kind::denied);
}

TEST_F(DirTest, ListIsSortedAndLimited)
{
    for (const char *name : {"b", "a", ".hidden"}) tree.file(name, "");
    tree.dir("c");
    EXPECT_THAT(*dir.list(), ElementsAre(".hidden", "a", "b", "c"));
    EXPECT_THAT(*dir.list(4), ElementsAre(".hidden", "a", "b", "c")); // each time from the beginning
    const auto few = dir.list(3);
    ASSERT_FALSE(few);
    EXPECT_THAT(few.error().what, HasSubstr("more than 3 entries"));
}

TEST_F(DirTest, SymlinkNameIsTheLastComponent)
{
    tree.link("driver", "../../bus/pci/drivers/mlx4_core");
    tree.link("plain", "x");
    tree.link("slash", "a/");
    tree.file("file", "");
    EXPECT_EQ(*dir.symlink_name("driver"), "mlx4_core");
    EXPECT_EQ(*dir.symlink_name("plain"), "x");
    EXPECT_EQ(*dir.symlink_name("slash"), "");
    EXPECT_FALSE(dir.symlink_name("file"));
    EXPECT_FALSE(dir.symlink_name("missing"));
}

TEST_F(DirTest, OpenAcceptsOnlyDirectories)
{
    tree.file("file", "");
    EXPECT_FALSE(Dir::open(tree.path("file")));
    EXPECT_EQ(Dir::open(tree.path("missing")).error().kind, Kind::absent);
    EXPECT_FALSE(dir.sub("file"));
    EXPECT_EQ(dir.sub("missing").error().what, tree.path("missing") + ": No such file or directory");
}

/// RESOLVE_BENEATH fails with EAGAIN if a ".." is walked while any file is renamed.
TEST_F(DirTest, RenamesElsewhereCauseNoFailure)
{
    tree.file("devices/x/value", "1");
    tree.link("class/x", "../devices/x");
    tree.file("p", "");
    std::atomic<bool> stop = false;
    std::thread renames([&] {
        while (!stop) {
            (void)std::rename(tree.path("p").c_str(), tree.path("q").c_str());
            (void)std::rename(tree.path("q").c_str(), tree.path("p").c_str());
        }
    });
    int failed = 0;
    for (int i = 0; i < 20000; i++) failed += dir.read("class/x/value") ? 0 : 1;
    stop = true;
    renames.join();
    EXPECT_EQ(failed, 0);
}

TEST(UniqueFd, ClosesOnceAndMoves)
{
    int fds[2];
    ASSERT_EQ(::pipe(fds), 0);
    {
        UniqueFd a(fds[0]);
        UniqueFd b(std::move(a));
        UniqueFd c;
        c = std::move(b);
        EXPECT_TRUE(c);
        EXPECT_EQ(c.get(), fds[0]);
    }
    EXPECT_EQ(::fcntl(fds[0], F_GETFD), -1);
    EXPECT_EQ(errno, EBADF);
    ::close(fds[1]);
    EXPECT_FALSE(UniqueFd());
}

} // namespace
} // namespace nmib
