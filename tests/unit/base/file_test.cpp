// SPDX-License-Identifier: LGPL-2.1-or-later
// Files are whole or absent, whenever the writer dies.
#include "apply/base/file.hpp"
#include "apply/plan/apply.hpp"
#include "core/base/text.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <ctime>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nmib
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct FileTest : testing::Test {
    test::Tree tree;
    Dir dir = *Dir::open(tree.path());
};

TEST_F(FileTest, StateHasOneFileForEachKindAndName)
{
    const auto state = tree.path();
    const auto ib0 = *IfName::parse("ib0"), child = *IfName::parse("ib0.8001");
    const auto kept = [&](std::string_view kind, const IfName &name, int ifindex) {
        return read_state(state, kind, name, ifindex).value_or("nothing");
    };
    for (int ifindex = 1; ifindex <= 100; ifindex++) {
        ASSERT_TRUE(keep_state(state, state_mtu, ib0, ifindex, std::to_string(ifindex) + "\n"));
        EXPECT_EQ(kept(state_mtu, ib0, ifindex), std::to_string(ifindex) + "\n");
        EXPECT_EQ(kept(state_mtu, ib0, ifindex + 1), "nothing") << "another interface of that name";
    }
    EXPECT_EQ(kept(state_mtu, ib0, 10), "nothing");
    ASSERT_TRUE(keep_state(state, state_logged, ib0, 7, ""));
    ASSERT_TRUE(keep_state(state, state_logged, child, 8, "x"));
    EXPECT_EQ(kept(state_logged, ib0, 7), "");
    EXPECT_EQ(kept(state_logged, child, 8), "x");
    EXPECT_EQ(kept(state_child, child, 8), "nothing");
    EXPECT_THAT(*dir.list(), ElementsAre("logged-ib0", "logged-ib0.8001", "mtu-ib0"));
    for (const auto *odd : {"", "7", "7 x", "07\n", "\n", "-7\n"}) {
        tree.file("logged-ib0", odd);
        EXPECT_EQ(kept(state_logged, ib0, 7), "nothing") << odd;
    }
}

TEST_F(FileTest, StateWithProfileNamesHasMode0600ForAnyUmask)
{
    const auto mode = [](const std::string &path) {
        struct stat st {
        };
        return ::stat(path.c_str(), &st) == 0 ? st.st_mode & 07777U : 0U;
    };
    const auto state = tree.path("run");
    const auto old = ::umask(077);
    EXPECT_TRUE(keep_state(state, state_mtu, *IfName::parse("lo"), 1, "x\n"));
    EXPECT_TRUE(keep_state(state, state_logged, *IfName::parse("lo"), 1, "x\n"));
    EXPECT_TRUE(keep_state(state, state_rdma, 1, "x\n"));
    ::umask(old);
    EXPECT_EQ(mode(state), 0755U);
    EXPECT_EQ(mode(state + "/mtu-lo"), 0644U);
    EXPECT_EQ(mode(state + "/logged-lo"), 0600U);
    EXPECT_EQ(mode(state + "/rdma-1"), 0600U);
}

TEST_F(FileTest, WritesReplacesAndRemoves)
{
    ASSERT_TRUE(write_file(dir, "a", "one\n"));
    EXPECT_EQ(tree.content("a"), "one\n");
    ASSERT_TRUE(write_file(dir, "a", ""));
    EXPECT_EQ(tree.content("a"), "");
    const std::string large(1 << 20, 'x');
    ASSERT_TRUE(write_file(dir, "a", large, 0600));
    EXPECT_EQ(tree.content("a"), large);
    struct stat st {
    };
    ASSERT_EQ(::stat(tree.path("a").c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 0777U, 0600U);
    EXPECT_THAT(*dir.list(), ElementsAre("a")); // no temporary file is left
    EXPECT_TRUE(remove_file(dir, "a"));
    EXPECT_TRUE(remove_file(dir, "a"));
    EXPECT_THAT(*dir.list(), IsEmpty());
}

TEST_F(FileTest, NameWithASlashIsRefused)
{
    const test::Tree other;
    other.file("victim", "x");
    const auto up = "../" + other.path().substr(other.path().rfind('/') + 1) + "/victim";
    for (const std::string &name :
         {std::string(), std::string("."), std::string(".."), std::string("a/b"), std::string("/a"), up,
          other.path("victim"), std::string("a\0b", 3), std::string(300, 'x')}) {
        EXPECT_FALSE(write_file(dir, name, "evil")) << name;
        EXPECT_FALSE(remove_file(dir, name)) << name;
    }
    EXPECT_EQ(other.content("victim"), "x");
    EXPECT_THAT(*dir.list(), IsEmpty());
}

TEST_F(FileTest, SymlinkIsReplacedNotFollowed)
{
    tree.file("target", "old");
    tree.link("a", "target");
    ASSERT_TRUE(write_file(dir, "a", "new"));
    EXPECT_EQ(tree.content("target"), "old");
    EXPECT_EQ(tree.content("a"), "new");
    // also if the temporary name was guessed
    tree.link(".nm-infiniband." + std::to_string(::getpid()), "target");
    ASSERT_TRUE(write_file(dir, "b", "new"));
    EXPECT_EQ(tree.content("target"), "old");
}

TEST_F(FileTest, FailedReplaceLeavesNoTemporaryFile)
{
    tree.dir("a/full");
    EXPECT_FALSE(write_file(dir, "a", "x"));
    EXPECT_FALSE(remove_file(dir, "a"));
    EXPECT_THAT(*dir.list(), ElementsAre("a"));
    tree.dir("gone");
    const auto gone = *dir.sub("gone");
    tree.remove("gone");
    EXPECT_FALSE(write_file(gone, "a", "x"));
}

TEST_F(FileTest, WriteThatFailsHalfwayKeepsTheOldFile)
{
    ASSERT_TRUE(write_file(dir, "a", "old"));
    const pid_t child = ::fork();
    if (child == 0) { // a limit of the file size replaces a full disk
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ::_exit(write_file(dir, "a", std::string(10000, 'n')) ? 1 : 0);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(tree.content("a"), "old");
    EXPECT_THAT(*dir.list(), ElementsAre("a"));
}

/// A writer is killed at 200 different moments: the content is old or new, and the next writer succeeds.
TEST_F(FileTest, KilledWriterLeavesTheOldOrTheNewContent)
{
    const auto content = [](int i) { return std::to_string(i) + ":" + std::string(20000, static_cast<char>('a' + i)); };
    ASSERT_TRUE(write_file(dir, "a", content(0)));
    std::mt19937 random(7);
    int killed_early = 0;
    for (int round = 0; round < 200; round++) {
        int started[2];
        ASSERT_EQ(::pipe(started), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            (void)!::write(started[1], "x", 1);
            for (int i = 0;; i = (i + 1) % 20) (void)write_file(dir, "a", content(i));
        }
        char x = 0;
        ASSERT_EQ(::read(started[0], &x, 1), 1); // wait until the child writes
        ::close(started[0]);
        ::close(started[1]);
        const timespec moment{0, static_cast<long>(random() % 1000000)};
        ::nanosleep(&moment, nullptr);
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        const auto now = tree.content("a");
        const auto i = parse_decimal(now.substr(0, now.find(':')), 19);
        ASSERT_TRUE(i && now == content(static_cast<int>(*i))) << now.substr(0, 40);
        killed_early += dir.list()->size() > 1 ? 1 : 0;
    }
    EXPECT_GT(killed_early, 5); // some between the first byte and the rename
    remove_temporary_files(dir);
    EXPECT_TRUE(write_file(dir, "a", "last"));
    EXPECT_EQ(tree.content("a"), "last");
    EXPECT_THAT(*dir.list(), ElementsAre("a"));
}

TEST_F(FileTest, TemporaryFilesOfDeadProcessesAreRemoved)
{
    const pid_t dead = ::fork();
    if (dead == 0) ::_exit(0);
    ASSERT_EQ(::waitpid(dead, nullptr, 0), dead);
    const auto left = ".nm-infiniband." + std::to_string(dead);
    for (const auto &file :
         {left, std::string(".nm-infiniband.1"), std::string(".nm-infiniband.x"), std::string(".nm-infiniband."),
          std::string(".nm-infiniband.0"), std::string(".nm-infiniband.99999999999"), left + ".link"})
        tree.file(file, "");
    remove_temporary_files(dir);
    EXPECT_THAT(*dir.list(), UnorderedElementsAre(".nm-infiniband.", ".nm-infiniband.0", ".nm-infiniband.1",
                                                  ".nm-infiniband.99999999999", left + ".link", ".nm-infiniband.x"));
}

TEST_F(FileTest, DirectoryIsMadeOnceAndForeignOnesAreRefused)
{
    const auto umask = ::umask(0);
    ASSERT_TRUE(make_dir(tree.path("run")));
    ::umask(umask);
    struct stat st {
    };
    ASSERT_EQ(::stat(tree.path("run").c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 07777U, 0755U);
    EXPECT_TRUE(make_dir(tree.path("run")));
    for (const mode_t mode : {0775U, 0757U, 0777U, 01777U}) {
        ASSERT_EQ(::chmod(tree.path("run").c_str(), mode), 0);
        const auto r = make_dir(tree.path("run"));
        ASSERT_FALSE(r) << mode;
        EXPECT_EQ(r.error().kind, Error::Kind::denied);
        EXPECT_THAT(r.error().what, HasSubstr(tree.path("run")));
    }
    ASSERT_EQ(::chmod(tree.path("run").c_str(), 0755), 0);
    if (::geteuid() == 0) {
        ASSERT_EQ(::chown(tree.path("run").c_str(), 12345, 0), 0);
        EXPECT_FALSE(make_dir(tree.path("run")));
    }
    tree.file("file", "");
    EXPECT_FALSE(make_dir(tree.path("file")));
    EXPECT_FALSE(make_dir(tree.path("missing/run")));
    EXPECT_FALSE(make_dir(""));
}

} // namespace
} // namespace nmib
