// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/dir.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <iterator>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

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
    EXPECT_EQ(large.error().kind, Error::Kind::invalid);
    EXPECT_EQ(large.error().what, tree.path("a") + ": larger than 4 bytes");
    tree.file("empty", "");
    EXPECT_EQ(*dir.read("empty"), "");
    tree.file("nul", std::string_view("a\0b", 3));
    EXPECT_EQ(dir.read("nul")->size(), 3U);
}

/// A file of /proc has the size 0, and is read in pieces.
TEST_F(DirTest, FileWhoseSizeIsUnknownIsReadWhole)
{
    std::string words[] = {"sh", "-c", "echo; read line", std::string(20000, 'x')}, expected;
    char *arguments[5] = {};
    for (std::size_t i = 0; i < std::size(words); i++) {
        arguments[i] = words[i].data();
        expected += words[i] + '\0';
    }
    int input[2], output[2];
    ASSERT_EQ(::pipe2(input, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(output, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    pid_t child = 0;
    ASSERT_EQ(::posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments, environ), 0);
    ::posix_spawn_file_actions_destroy(&actions);
    char line = 0;
    ASSERT_EQ(::read(output[0], &line, 1), 1) << "then exec has finished";
    const auto process = *Dir::open("/proc/" + std::to_string(child));
    const auto text = process.read("cmdline", 1 << 20), exactly = process.read("cmdline", expected.size());
    EXPECT_TRUE(text && *text == expected);
    EXPECT_TRUE(exactly && *exactly == expected);
    EXPECT_FALSE(process.read("cmdline", expected.size() - 1));
    EXPECT_FALSE(process.read("cmdline")) << "4096 bytes by default";
    for (const int fd : {input[0], input[1], output[0], output[1]}) ::close(fd);
    ::waitpid(child, nullptr, 0);
}

TEST_F(DirTest, ReadThatFailsIsAnError)
{
    const auto memory = (*Dir::open("/proc/self")).read("mem"); // EIO: nothing is at address 0
    ASSERT_FALSE(memory);
    EXPECT_EQ(memory.error().kind, Error::Kind::io);
    EXPECT_EQ(memory.error().what, "/proc/self/mem: Input/output error");
}

TEST_F(DirTest, ValuesOfShortFilesAreRead)
{
    tree.file("number", " 42\n");
    tree.file("hex", "0x2a\n");
    tree.file("long", std::string(256, ' '));
    tree.file("longer", std::string(256, ' ') + "1");
    EXPECT_EQ(dir.line("number"), "42");
    EXPECT_EQ(dir.line("missing"), "");
    EXPECT_EQ(dir.decimal("number", 42), 42U);
    EXPECT_EQ(dir.decimal("number", 41), std::nullopt);
    EXPECT_EQ(dir.hexadecimal("hex", 42), 42U);
    EXPECT_EQ(dir.hexadecimal("hex", 41), std::nullopt);
    EXPECT_EQ(dir.decimal("longer", 42), std::nullopt);
    tree.file("long", "1" + std::string(255, '\n'));
    EXPECT_EQ(dir.line("long"), "1");
    EXPECT_THAT(dir.names("."), ElementsAre("hex", "long", "longer", "number"));
    EXPECT_THAT(dir.names("number"), IsEmpty());
    EXPECT_THAT(names_in(tree.path("missing")), IsEmpty());
    EXPECT_EQ(split_path("a/b/c"), std::pair(std::string("a/b"), std::string("c")));
    EXPECT_EQ(split_path("/c"), std::pair(std::string("/"), std::string("c")));
    EXPECT_EQ(split_path("c"), std::pair(std::string("."), std::string("c")));
}

TEST_F(DirTest, DirectoryThatOthersCanWriteIsNotTrusted)
{
    tree.dir("d");
    const auto d = *dir.sub("d");
    ASSERT_EQ(::chmod(tree.path("d").c_str(), 0755), 0);
    EXPECT_TRUE(d.only_root_writes());
    for (const mode_t mode : {0775U, 0757U, 01777U}) {
        ASSERT_EQ(::chmod(tree.path("d").c_str(), mode), 0);
        const auto r = d.only_root_writes();
        ASSERT_FALSE(r) << mode;
        EXPECT_EQ(r.error().kind, Error::Kind::denied);
        EXPECT_EQ(r.error().what, tree.path("d") + ": users other than root can write there (chown root, chmod go-w)");
    }
    ASSERT_EQ(::chmod(tree.path("d").c_str(), 0755), 0);
    if (::geteuid() != 0) return;
    ASSERT_EQ(::chown(tree.path("d").c_str(), 12345, 0), 0);
    EXPECT_FALSE(d.only_root_writes());
}

TEST_F(DirTest, FileOfAnEarlierDirectoryHidesLaterOnes)
{
    tree.file("etc/a.conf", "");
    tree.file("lib/a.conf", "");
    tree.file("lib/b.conf", "");
    tree.file("lib/.b.conf", "");
    tree.file("lib/c.txt", "");
    const std::vector<std::string> all = {tree.path("etc"), tree.path("run"), tree.path("lib")};
    const auto found = layered_files(all, ".conf");
    ASSERT_TRUE(found) << found.error().what;
    EXPECT_THAT(*found, ElementsAre(std::pair("a.conf", tree.path("etc/a.conf")),
                                    std::pair("b.conf", tree.path("lib/b.conf"))));
    EXPECT_TRUE(layered_files(all, ".conf", 4));
    EXPECT_FALSE(layered_files(all, ".conf", 3)) << "four names in one directory";
    tree.file("run", "");
    EXPECT_FALSE(layered_files(all, ".conf")) << "a layer that is a file";
    EXPECT_THAT(layers_of("x.d", "/r"),
                ElementsAre("/r/etc/x.d", "/r/run/x.d", "/r/usr/local/lib/x.d", "/r/usr/lib/x.d"));
}

TEST_F(DirTest, MaskedFileOfALayerReadsAsEmpty)
{
    tree.file("file", "x");
    tree.dir("d");
    tree.link("link", "file");
    tree.link("null", "/dev/null");
    tree.link("nowhere", "missing");
    tree.link("loop", "loop");
    const auto read = [&](const char *name, std::size_t limit = 1) { return read_layered(tree.path(name), limit); };
    EXPECT_EQ(*read("file"), "x");
    EXPECT_EQ(*read("link"), "x");
    for (const auto *masked : {"null", "nowhere", "d"}) EXPECT_EQ(*read(masked), "") << masked;
    EXPECT_FALSE(read("loop"));
    EXPECT_FALSE(read("file", 0));
}

TEST_F(DirTest, ReadRefusesOtherFileTypesWithoutBlocking)
{
    tree.dir("d");
    tree.fifo("f");
    for (const char *name : {"d", "f"}) {
        const auto r = dir.read(name);
        ASSERT_FALSE(r) << name;
        EXPECT_EQ(r.error().kind, Error::Kind::invalid);
        EXPECT_THAT(r.error().what, HasSubstr("not a regular file"));
    }
    EXPECT_EQ(dir.read("missing").error().kind, Error::Kind::absent);
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
        EXPECT_EQ(r.error().kind, Error::Kind::denied);
        EXPECT_THAT(r.error().what, HasSubstr("chmod go-w"));
        EXPECT_TRUE(dir.read("bad"));
    }
    if (::geteuid() != 0) return;
    ASSERT_EQ(::chown(tree.path("good").c_str(), 12345, 0), 0);
    EXPECT_EQ(dir.read_trusted("good").error().kind, Error::Kind::denied);
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
    EXPECT_EQ(Dir::open(tree.path("missing")).error().kind, Error::Kind::absent);
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
