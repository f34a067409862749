// SPDX-License-Identifier: LGPL-2.1-or-later
// Files that are written, locked and changed together while system calls fail.
#include "apply/base/file.hpp"
#include "apply/name/import.hpp"
#include "fake_calls.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace nmib
{
namespace
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct WriteTest : testing::Test {
    Tree tree;
    Dir dir = *Dir::open(tree.path());
    const std::string temporary = ".nm-infiniband." + std::to_string(::getpid());

    std::vector<std::string> names() const { return *dir.list(); }
    mode_t mode_of(const std::string &name) const
    {
        struct stat st {
        };
        EXPECT_EQ(::stat(tree.path(name).c_str(), &st), 0) << name;
        return st.st_mode & 07777U;
    }
    std::string error(const std::string &where, const char *why) const { return tree.path(where) + ": " + why; }
};

TEST_F(WriteTest, InterruptedAndShortWritesAreContinued)
{
    for (const int answer : {EINTR, one_byte}) {
        tree.file("a", "old");
        const FakeCalls fake(fail("write", answer, temporary));
        ASSERT_TRUE(write_file(dir, "a", "content", 0600)) << answer;
        EXPECT_EQ(tree.content("a"), "content");
        EXPECT_EQ(mode_of("a"), 0600U);
        EXPECT_THAT(names(), ElementsAre("a"));
    }
}

TEST_F(WriteTest, FailingCallKeepsTheOldFileAndNamesTheNewOne)
{
    for (const auto *call : {"openat", "fchmod", "write", "fsync", "renameat"})
        for (const unsigned nth : {0U, 1U}) { // the directory, then the file
            const bool is_first_only = std::string_view(call) != "openat" && std::string_view(call) != "write";
            if (nth == 1 && is_first_only) continue;
            tree.file("a", "old");
            auto seen = nth;
            const FakeCalls fake([&](std::string_view now, const std::string &) {
                if (now == "write" && std::string_view(call) == "write" && nth == 1 && seen == 1)
                    return seen = 0, one_byte;
                return now == call && seen-- == 0 ? ENOSPC : pass;
            });
            const auto r = write_file(dir, "a", "content");
            ASSERT_FALSE(r) << call << nth;
            EXPECT_EQ(r.error().what, error("a", "No space left on device"));
            EXPECT_EQ(tree.content("a"), "old") << call << nth;
            EXPECT_THAT(names(), ElementsAre("a")) << call << nth;
        }
    const FakeCalls fake(fail("fsync", EIO, "", 1));
    const auto r = write_file(dir, "a", "content");
    ASSERT_FALSE(r) << "the directory's sync";
    EXPECT_EQ(r.error().what, error("a", "Input/output error"));
    EXPECT_EQ(tree.content("a"), "content");
}

TEST_F(WriteTest, TemporaryFileOfAProcessWithTheSameNumberIsReplaced)
{
    tree.link(temporary, "b");
    tree.file("b", "other");
    ASSERT_TRUE(write_file(dir, "a", "content"));
    EXPECT_EQ(tree.content("a"), "content");
    EXPECT_EQ(tree.content("b"), "other");
    EXPECT_THAT(names(), ElementsAre("a", "b"));
}

TEST_F(WriteTest, NameThatIsNoFileNameIsRefused)
{
    for (const auto &name :
         {std::string(), std::string("."), std::string(".."), std::string("a/b"), std::string("a\0b", 3)}) {
        const auto written = write_file(dir, name, "x"), removed = remove_file(dir, name);
        ASSERT_FALSE(written || removed) << name;
        EXPECT_EQ(written.error().kind, Error::Kind::invalid);
        EXPECT_EQ(removed.error().what, tree.path() + "/" + name + ": not a file name");
    }
    EXPECT_TRUE(write_file(dir, ".a", "x") && write_file(dir, "..a", "x"));
}

TEST_F(WriteTest, ValueIsWrittenWithOneCall)
{
    tree.file("mode", "datagram\n");
    EXPECT_TRUE(write_value(dir, "mode", "connected", "ib0"));
    EXPECT_EQ(tree.content("mode"), "connected");
    EXPECT_EQ(write_value(dir, "missing", "1", "ib0: mode").error().what, "ib0: mode: No such file or directory");
    const std::pair<int, const char *> all[] = {
        {EBUSY, "Device or resource busy"}, {EINTR, "Interrupted system call"}, {one_byte, "Input/output error"}};
    for (const auto &[answer, why] : all) {
        const FakeCalls fake(fail("write", answer, "/mode"));
        const auto r = write_value(dir, "mode", "12", "ib0: mode");
        ASSERT_FALSE(r) << answer;
        EXPECT_EQ(r.error().what, std::string("ib0: mode: ") + why);
    }
}

TEST_F(WriteTest, OnlyTemporaryFilesOfEndedProcessesAreRemoved)
{
    const auto keeps = [&](int answer) {
        tree.file(".nm-infiniband.77", "");
        const FakeCalls fake([=](std::string_view call, const std::string &what) {
            errno = ESRCH; // of an earlier call
            return call == "kill" && what == "0" ? answer : pass;
        });
        remove_temporary_files(dir);
        return tree.content(".nm-infiniband.77").empty() && !names().empty();
    };
    EXPECT_FALSE(keeps(ESRCH));
    EXPECT_TRUE(keeps(EPERM)) << "a process of another user";
    EXPECT_TRUE(keeps(pretend)) << "a running process";
    tree.file("nm-infiniband.77", "");
    tree.file(".nm-infiniband.0", "");
    tree.file(".nm-infiniband.2147483648", "");
    const FakeCalls fake([](std::string_view call, const std::string &) { return call == "kill" ? ESRCH : pass; });
    remove_temporary_files(dir);
    EXPECT_THAT(names(), ElementsAre(".nm-infiniband.0", ".nm-infiniband.2147483648", "nm-infiniband.77"));
    tree.file(".nm-infiniband.2147483647", "");
    remove_temporary_files(dir);
    EXPECT_THAT(names(), ElementsAre(".nm-infiniband.0", ".nm-infiniband.2147483648", "nm-infiniband.77"));
}

TEST_F(WriteTest, MissingFileNeedsNoRemoval)
{
    EXPECT_TRUE(remove_file(dir, "a"));
    tree.file("a", "");
    {
        const FakeCalls fake(fail("unlinkat", EROFS, "/a"));
        EXPECT_EQ(remove_file(dir, "a").error().what, error("a", "Read-only file system"));
    }
    EXPECT_TRUE(remove_file(dir, "a"));
    EXPECT_THAT(names(), IsEmpty());
}

TEST_F(WriteTest, DirectoryIsMadeWithItsModeOrNotUsed)
{
    {
        const FakeCalls fake(fail("chmod", EPERM));
        EXPECT_EQ(make_dir(tree.path("run")).error().what, error("run", "Operation not permitted"));
    }
    const FakeCalls fake(fail("chmod", EPERM));
    EXPECT_TRUE(make_dir(tree.path("run"))) << "exists: the mode is the administrator's";
    EXPECT_EQ(make_dir(tree.path("no/run")).error().what, error("no/run", "No such file or directory"));
}

TEST_F(WriteTest, FreeNameOfACopyIsCounted)
{
    for (const auto *want :
         {"70.rules.before-nm-ib.bak", "70.rules.before-nm-ib.2.bak", "70.rules.before-nm-ib.3.bak"}) {
        EXPECT_EQ(*free_copy_name(dir, "70.rules"), want);
        tree.file(want, "");
    }
    for (int n = 4; n < 1000; n++) {
        if (n == 999) {
            EXPECT_EQ(*free_copy_name(dir, "70.rules"), "70.rules.before-nm-ib.999.bak");
        }
        tree.file("70.rules.before-nm-ib." + std::to_string(n) + ".bak", "");
    }
    const auto full = free_copy_name(dir, "70.rules");
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().kind, Error::Kind::refused);
    EXPECT_EQ(full.error().what, error("70.rules.before-nm-ib.bak", "too many copies"));
    tree.file("a", "");
    EXPECT_FALSE(free_copy_name(dir, "a/b")) << "unknown whether it exists";
}

struct LockTest : WriteTest {
    const std::string run = tree.path("run");
    bool is_locked() const
    {
        const UniqueFd fd(::open((run + "/lock").c_str(), O_RDWR | O_CLOEXEC));
        return fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0;
    }
    bool exists() const { return *dir.exists("run/lock"); }
};

unsigned waits = 0;
void count_wait() { waits++; }

TEST_F(LockTest, LockIsHeldAndItsFileRemoved)
{
    {
        const FileLock lock(run, "lock", count_wait);
        EXPECT_TRUE(is_locked());
        EXPECT_EQ(mode_of("run/lock"), 0600U);
        EXPECT_EQ(mode_of("run"), 0755U);
    }
    EXPECT_FALSE(exists());
    EXPECT_EQ(waits, 0U);
}

TEST_F(LockTest, WithoutDirectoryOrFileThereIsNoLock)
{
    tree.file("run", "");
    const FileLock none(run, "lock");
    EXPECT_EQ(tree.content("run"), "");
    tree.remove("run");
    tree.link("run/lock", "../elsewhere");
    {
        const FileLock link(run, "lock");
    }
    EXPECT_FALSE(*dir.exists("elsewhere"));
    EXPECT_EQ(*dir.symlink_target("run/lock"), "../elsewhere");
}

/// Another program holds the lock until the wait begins.
TEST_F(LockTest, WaitIsAnnouncedOnceAndEndsWithTheLock)
{
    tree.file("run/lock", "", 0600);
    UniqueFd other(::open((run + "/lock").c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
    waits = 0;
    unsigned waited = 0;
    const FakeCalls fake([&](std::string_view call, const std::string &) {
        if (call == "flock") waited++, other = UniqueFd();
        return pass;
    });
    {
        const FileLock lock(run, "lock", count_wait);
        EXPECT_TRUE(is_locked());
    }
    EXPECT_EQ(waits, 1U);
    EXPECT_EQ(waited, 1U);
    EXPECT_FALSE(exists());
}

TEST_F(LockTest, InterruptedWaitLeavesTheOthersFile)
{
    tree.file("run/lock", "", 0600);
    const UniqueFd other(::open((run + "/lock").c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
    const FakeCalls fake(fail("flock", EINTR));
    {
        const FileLock lock(run, "lock");
    }
    EXPECT_TRUE(exists());
}

/// The previous holder removes the file between open and lock: the lock is then on a file without a name.
TEST_F(LockTest, RemovedOrReplacedFileIsLockedAgain)
{
    for (const bool is_replaced : {false, true}) {
        unsigned tries = 0;
        const FakeCalls fake([&](std::string_view call, const std::string &) {
            if (call == "trylock" && tries++ == 0) {
                tree.remove("run/lock");
                if (is_replaced) tree.file("run/lock", "", 0600);
            }
            return pass;
        });
        tree.file("run/lock", "", 0600);
        const FileLock lock(run, "lock");
        EXPECT_EQ(tries, 2U) << is_replaced;
        EXPECT_TRUE(is_locked()) << is_replaced;
    }
}

TEST_F(LockTest, UnknownFileIsLockedAgain)
{
    for (const auto *call : {"fstat", "fstatat"}) {
        unsigned tries = 0, asked = 0;
        const FakeCalls fake([&](std::string_view now, const std::string &what) {
            if (now == "trylock") tries++;
            return now == call && what.ends_with("/lock") && asked++ == 0 ? EIO : pass;
        });
        const FileLock lock(run, "lock");
        EXPECT_EQ(tries, 2U) << call;
    }
}

struct ChangesTest : WriteTest {
    const std::string own = tree.path("own"), etc = tree.path();
    Result<FileChanges> make(std::initializer_list<FileChange> changes) const
    {
        return FileChanges::make(std::vector<FileChange>(changes));
    }
};

TEST_F(ChangesTest, AllFilesAreChangedAndRestored)
{
    tree.file("a", "1");
    tree.file("b", "2");
    tree.file(".nm-infiniband.99999998", ""); // no process has this number
    const auto done = make({{etc, "a", "3"}, {etc, "b", std::nullopt}, {own, "c", "4", true}, {own, "c", "5", true}});
    ASSERT_TRUE(done) << done.error().what;
    EXPECT_EQ(tree.content("a"), "3");
    EXPECT_EQ(tree.content("own/c"), "5");
    EXPECT_EQ(mode_of("own/c"), 0644U);
    EXPECT_THAT(names(), ElementsAre("a", "own"));
    ASSERT_TRUE(done->undo());
    EXPECT_EQ(tree.content("a"), "1");
    EXPECT_EQ(tree.content("b"), "2");
    EXPECT_THAT(names(), ElementsAre("a", "b")) << "the own directory is gone with its file";
}

TEST_F(ChangesTest, OneFailureRestoresTheEarlierFiles)
{
    tree.file("a", "1");
    tree.dir("d");
    const auto refused = [&](const FileChange &second) {
        const auto r = make({{etc, "a", "3"}, {own, "c", "4", true}, second});
        EXPECT_EQ(tree.content("a"), "1");
        EXPECT_THAT(names(), ElementsAre("a", "d"));
        return r ? "" : r.error().what;
    };
    EXPECT_EQ(refused({tree.path("no"), "x", "y"}), error("no", "No such file or directory"));
    EXPECT_EQ(refused({etc, "d", "y"}), error("d", "not a regular file")) << "the old text is unknown";
    EXPECT_EQ(refused({etc, "", "y"}), tree.path() + "/: not a file name");
    {
        const FakeCalls fake(fail("renameat", EROFS, "/x"));
        EXPECT_EQ(refused({etc, "x", "y"}), error("x", "Read-only file system"));
    }
    const FakeCalls fake(fail("read", EIO, "/a"));
    EXPECT_EQ(make({{etc, "a", std::nullopt}}).error().what, error("a", "Input/output error"));
    EXPECT_EQ(tree.content("a"), "1");
}

TEST_F(ChangesTest, RemovalInAMissingDirectoryIsDone)
{
    EXPECT_TRUE(make({{own, "c", std::nullopt, true}}));
    EXPECT_FALSE(*dir.exists("own"));
    tree.file("file", "");
    EXPECT_EQ(make({{tree.path("file"), "c", std::nullopt}}).error().what, error("file", "Not a directory"));
    tree.file("own/c", "");
    tree.file("own/other", "");
    EXPECT_TRUE(make({{own, "c", std::nullopt, true}}));
    EXPECT_EQ(*Dir::open(own)->list(), std::vector<std::string>{"other"});
    tree.remove("own/other");
    tree.file("own/c", "");
    EXPECT_TRUE(make({{own, "c", std::nullopt}}));
    EXPECT_TRUE(*dir.exists("own")) << "another program's directory stays";
    tree.file("own/c", "");
    const FakeCalls fake(fail("unlinkat", EPERM, "/c"));
    EXPECT_EQ(make({{own, "c", std::nullopt, true}}).error().what, error("own/c", "Operation not permitted"));
}

TEST_F(ChangesTest, DirectoryThatOthersWriteIsRefused)
{
    tree.dir("own");
    ASSERT_EQ(::chmod(own.c_str(), 0777), 0);
    for (const bool is_own : {true, false}) {
        const auto r = make({{own, "c", "1", is_own}});
        ASSERT_FALSE(r);
        EXPECT_EQ(r.error().kind, Error::Kind::denied);
    }
    EXPECT_THAT(*Dir::open(own)->list(), IsEmpty());
}

TEST_F(ChangesTest, FailedUndoIsAnError)
{
    tree.file("a", "1");
    tree.file("b", "2");
    const auto done = make({{etc, "a", "3"}, {etc, "b", "4"}});
    const FakeCalls fake(fail("renameat", EROFS, "/b"));
    EXPECT_EQ(done->undo().error().what, error("b", "Read-only file system"));
    EXPECT_EQ(tree.content("a"), "3") << "the last file first";
}

TEST_F(ChangesTest, FileUpToOneMebibyteIsRestored)
{
    tree.file("a", std::string(1 << 20, 'x'));
    EXPECT_TRUE(make({{etc, "a", "1"}})->undo());
    EXPECT_EQ(tree.content("a").size(), 1U << 20);
    tree.file("a", std::string((1 << 20) + 1, 'x'));
    EXPECT_FALSE(make({{etc, "a", "1"}}));
    EXPECT_EQ(tree.content("a").size(), (1U << 20) + 1);
}

struct TakeOutTest : WriteTest {
    const std::string text = "SUBSYSTEM==\"net\", ATTR{address}==\"00:11:22:33:44:55\", NAME=\"ib7\"\n";
    FragileFile file{.is_rule = true, .path = tree.path("70.rules"), .text = text};
    const std::vector<FragileName> names_in_file{{.first_line = 1, .last_line = 1}};
    Result<std::string> take() const { return take_out(file, names_in_file); }
};

TEST_F(TakeOutTest, FailureKeepsTheFileAndNoCopy)
{
    tree.file("70.rules", text, 0640);
    const auto copy = "/70.rules.before-nm-ib.bak";
    for (const auto &[call, ending, nth] : {std::tuple("renameat", copy, 0U),
                                            {"renameat", "/70.rules", 0U},
                                            {"fsync", "", 0U},
                                            {"read", "/70.rules", 0U},
                                            {"fstatat", "/70.rules", 0U}}) {
        const FakeCalls fake(fail(call, EIO, ending, nth));
        const auto r = take();
        ASSERT_FALSE(r) << call << ending;
        EXPECT_THAT(r.error().what, HasSubstr("/70.rules"));
        EXPECT_THAT(r.error().what, HasSubstr("Input/output error"));
        EXPECT_EQ(tree.content("70.rules"), text);
        EXPECT_THAT(names(), ElementsAre("70.rules")) << call << ending;
    }
    tree.file(".nm-infiniband.99999998", ""); // no process has this number
    const auto r = take();
    ASSERT_TRUE(r) << r.error().what;
    EXPECT_EQ(*r, tree.path() + copy);
    EXPECT_THAT(names(), ElementsAre("70.rules", "70.rules.before-nm-ib.bak"));
    EXPECT_EQ(mode_of("70.rules.before-nm-ib.bak"), 0640U);
    EXPECT_EQ(mode_of("70.rules"), 0640U);
}

TEST_F(TakeOutTest, OtherFilesAreRefused)
{
    EXPECT_EQ(take().error().what, error("70.rules", "No such file or directory"));
    tree.file("70.rules", text + "#\n");
    EXPECT_EQ(take().error().what, error("70.rules", "changed by another program meanwhile; run the command again"));
    EXPECT_EQ(take().error().kind, Error::Kind::refused);
    tree.link("70.rules", "other");
    EXPECT_EQ(take().error().what, error("70.rules", "not a regular file"));
    file.text = std::string(1 << 20, '#');
    tree.file("70.rules", file.text);
    EXPECT_TRUE(take());
    file.text += "#";
    tree.file("70.rules", file.text);
    EXPECT_FALSE(take());
    file.path = tree.path("no/no/70.rules");
    EXPECT_EQ(take().error().what, error("no/no", "No such file or directory"));
}

TEST_F(TakeOutTest, LinkFileIsRemoved)
{
    file = {.path = tree.path("70-ib.link"), .text = "[Link]\nName=ib7\n"};
    tree.file("70-ib.link", file.text);
    {
        const FakeCalls fake(fail("unlinkat", EPERM, "/70-ib.link"));
        EXPECT_EQ(take().error().what, error("70-ib.link", "Operation not permitted"));
        EXPECT_THAT(names(), ElementsAre("70-ib.link"));
    }
    EXPECT_EQ(*take(), tree.path("70-ib.link.before-nm-ib.bak"));
    EXPECT_THAT(names(), ElementsAre("70-ib.link.before-nm-ib.bak"));
}

} // namespace
} // namespace nmib
