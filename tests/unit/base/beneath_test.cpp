// SPDX-License-Identifier: LGPL-2.1-or-later
// The implementation without openat2 opens the same files as the kernel's, and never a file outside.
#include "probe/base/dir.hpp"
#include "tree.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <random>
#include <sched.h>
#include <set>
#include <sys/stat.h>
#include <thread>

namespace nmib
{
namespace
{

struct Opened {
    dev_t device = 0;
    ino_t inode = 0;
    int error = 0;
    int flags = 0;
    bool closed_by_exec = false;
    bool operator==(const Opened &) const = default;
};

template<int (*open)(int, const char *, int) noexcept> Opened result(int dir, const std::string &path, int flags)
{
    const UniqueFd fd(open(dir, path.c_str(), flags));
    if (!fd) return {.error = errno};
    struct stat st {
    };
    EXPECT_EQ(::fstat(fd.get(), &st), 0);
    return {st.st_dev, st.st_ino, 0, ::fcntl(fd.get(), F_GETFL) & ~O_NOFOLLOW,
            (::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) != 0};
}

struct BeneathTest : testing::Test {
    BeneathTest()
    {
        outside.file("secret", "x");
        tree.file("a/b/file", "1");
        tree.dir("a/b/c");
        tree.link("a/up", "../a/b");
        tree.link("a/b/deep", "../../a/up/c/../file");
        tree.link("a/out", "../../" + outside.path().substr(outside.path().rfind('/') + 1) + "/secret");
        tree.link("a/top", "..");
        tree.link("a/above", "../..");
        tree.link("absolute", outside.path("secret"));
        tree.link("absolute-in", tree.path("a"));
        tree.link("loop", "loop");
        tree.link("a/loop", "../loop/x");
        tree.link("nowhere", "a/missing");
        tree.link("slash", "a/b/");
        tree.link("file-slash", "a/b/file/");
        tree.fifo("a/fifo");
        tree.link("l0", "a/b/file");
        for (int i = 1; i <= 45; i++) tree.link("l" + std::to_string(i), "l" + std::to_string(i - 1));
        dir = UniqueFd(::open(tree.path().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        for (const char *path : {"", "a", "a/b", "a/b/c", "a/b/file", "a/fifo"}) {
            struct stat st {
            };
            EXPECT_EQ(::stat(tree.path(path).c_str(), &st), 0) << path;
            within.insert(st.st_ino);
        }
    }
    /// If the kernel refuses a path, open_checked() may still open a file inside the tree.
    void compare(const std::string &path)
    {
        for (const int flags :
             {O_RDONLY | O_NONBLOCK | O_NOCTTY, O_PATH, O_PATH | O_DIRECTORY, O_WRONLY | O_NONBLOCK}) {
            const auto checked = result<open_checked>(dir.get(), path, flags);
            const auto kernel = result<open_below>(dir.get(), path, flags);
            if (kernel.error == EXDEV)
                EXPECT_TRUE(checked.error != 0 || within.contains(checked.inode)) << path << " flags " << flags;
            else
                EXPECT_EQ(checked, kernel) << path << " flags " << flags;
            opened += checked.error == 0;
        }
    }

    test::Tree outside, tree;
    UniqueFd dir;
    std::set<ino_t> within;
    int opened = 0;
};
void PrintTo(const Opened &o, std::ostream *out)
{
    *out << "inode " << o.inode << ", error " << o.error << ", flags " << o.flags;
}

TEST_F(BeneathTest, OpenBelowResolvesLikeOpenat2)
{
    for (const char *path :
         {"",           ".",          "./",        "..",         "/",           "/etc",          "a",
          "a/",         "a//b",       "a/./b",     "a/..",       "a/../..",     "a/b/file",      "a/b/file/",
          "a/b/file/.", "a/b/file/x", "a/up/file", "a/up/../b",  "a/b/deep",    "a/out",         "a/top",
          "a/top/a",    "a/top/..",   "a/above",   "absolute",   "absolute-in", "absolute-in/b", "loop",
          "a/loop",     "nowhere",    "missing",   "missing/..", "slash",       "slash/file",    "file-slash",
          "a/fifo",     "l38",        "l39",       "l40",        "l44"})
        compare(path);
}

TEST_F(BeneathTest, OpenBelowResolvesRandomPathsLikeOpenat2)
{
    constexpr const char *names[] = {"a",    "b",     "c",           "file", "up", "deep", "out", "top", "above",
                                     "loop", "slash", "absolute-in", "..",   "..", ".",    "",    "l7",  "nowhere"};
    std::mt19937 chance(1);
    for (int i = 0; i < 20000; i++) {
        std::string path;
        for (auto n = chance() % 6 + 1; n > 0; n--)
            path += (path.empty() ? "" : "/") + std::string(names[chance() % std::size(names)]);
        compare(path);
    }
    EXPECT_GT(opened, 1000);
}

TEST(Beneath, NoMagicLinkIsFollowed)
{
    const UniqueFd proc(::open("/proc/self", O_PATH | O_DIRECTORY | O_CLOEXEC));
    for (const char *path : {"cwd", "root/etc", "exe", "fd/0"}) {
        EXPECT_EQ(result<open_checked>(proc.get(), path, O_PATH).error, EXDEV) << path;
        EXPECT_EQ(result<open_below>(proc.get(), path, O_PATH).error, ELOOP) << path;
    }
}

TEST_F(BeneathTest, ThreadWithFilesOfItsOwnOpensBelowItsOwn)
{
    const UniqueFd other(::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
    const UniqueFd dir(::open(tree.path("a").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    int error = -1;
    std::thread([&] {
        if (::unshare(CLONE_FILES) != 0 || ::dup2(dir.get(), other.get()) < 0) return;
        error = result<open_checked>(other.get(), "b/file", O_RDONLY).error;
    }).join();
    EXPECT_EQ(error, 0);
}

} // namespace
} // namespace nmib
