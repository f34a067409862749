// SPDX-License-Identifier: LGPL-2.1-or-later
// A file is either old or new as a whole, at whichever system call its writer is killed or fails.
#include "apply/base/file.hpp"
#include "traced.hpp"
#include "tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nmib
{
namespace
{

using test::Moment;
using testing::ElementsAre;

const std::string target = "70-nm-infiniband-mlx.link";
const std::string old_text = "[Match]\nType=old\n", new_text = "[Match]\nType=new\n" + std::string(10000, 'n');

struct WriterTest : testing::TestWithParam<bool> {
    const bool replaces = GetParam(); ///< false: the file is new
    test::Tree tree;
    Dir dir = *Dir::open(tree.path());
    const std::string before = replaces ? old_text : "";

    void SetUp() override { reset(); }
    void reset()
    {
        tree.remove(target);
        if (replaces) tree.file(target, old_text);
    }
    /// 0: written; 1: a one-line error that names the file; 2: any other error.
    int write() const
    {
        const auto r = write_file(dir, target, new_text);
        if (r) return 0;
        const auto &what = r.error().what;
        return what.starts_with(tree.path(target) + ": ") && what.find('\n') == what.npos ? 1 : 2;
    }
    /// Files beside the target; udev ignores all of them.
    std::vector<std::string> beside() const
    {
        auto names = *dir.list();
        std::erase(names, target);
        for (const auto &n : names)
            EXPECT_TRUE(n.starts_with('.') && !n.ends_with(".link") && !n.ends_with(".conf")) << n;
        return names;
    }
    bool renamed(const std::vector<long> &calls) const
    {
        return std::any_of(calls.begin(), calls.end(), [](long n) {
            return
#ifdef SYS_renameat
                n == SYS_renameat ||
#endif
                n == SYS_renameat2;
        });
    }
};

INSTANTIATE_TEST_SUITE_P(, WriterTest, testing::Values(false, true),
                         [](const auto &p) { return p.param ? "AReplacedFile" : "ANewFile"; });

TEST_P(WriterTest, KillAtAnySystemCallKeepsOldOrNewContent)
{
    std::size_t calls = 0, kept = 0, done = 0, left = 0;
    for (bool ended = false; !ended; calls++)
        for (const auto act : {Moment::Act::kill_before, Moment::Act::kill_after}) {
            SCOPED_TRACE(calls);
            reset();
            const auto t = test::trace([&] { return write(); }, Moment{calls, act});
            ended = t.status != -1;
            ASSERT_TRUE(!ended || (t.status == 0 && tree.content(target) == new_text));
            const auto now = tree.content(target);
            ASSERT_TRUE(now == before || now == new_text) << now.substr(0, 40);
            ASSERT_EQ(*dir.exists(target), replaces || now == new_text);
            ++(now == new_text ? done : kept);
            left += beside().size();
            remove_temporary_files(dir); // like the next writer in the directory
            ASSERT_THAT(beside(), ElementsAre());
        }
    std::cout << calls << " system calls: " << kept << " times old, " << done << " times new, " << left
              << " with something beside\n";
    EXPECT_GT(calls, 10U);
    EXPECT_GT(kept, 5U);
    EXPECT_GT(done, 1U);
    EXPECT_GT(left, 3U);
}

TEST_P(WriterTest, FailureOfAnySystemCallKeepsOldOrNewContent)
{
    if (!test::can_fail()) GTEST_SKIP() << "not known for this processor";
    std::size_t errors = 0, fine = 0;
    for (const int error : {EIO, ENOSPC})
        for (std::size_t call = 0;; call++) {
            reset();
            const auto t = test::trace([&] { return write(); }, Moment{call, Moment::Act::fail, error});
            if (call >= t.calls.size()) break; // work completed earlier
            SCOPED_TRACE("call " + std::to_string(call) + ", number " + std::to_string(t.calls[call]));
            const bool was_renamed = renamed({t.calls.begin(), t.calls.begin() + static_cast<std::ptrdiff_t>(call)});
            ASSERT_TRUE(t.status == 0 || t.status == 1) << t.status;
            ASSERT_TRUE(tree.content(target) == (t.status == 0 || was_renamed ? new_text : before));
            ASSERT_THAT(beside(), ElementsAre());
            ++(t.status == 0 ? fine : errors);
        }
    std::cout << errors << " errors, " << fine << " that did not matter\n";
    EXPECT_GE(errors, 14U); // directory, file, mode, content, both syncs, name
    ASSERT_EQ(write(), 0);
    EXPECT_THAT(*dir.list(), ElementsAre(target));
}

/// Two writers at once: both succeed, the content is one of theirs, and no other file is left.
TEST_P(WriterTest, TwoWritersAtATimeLeaveOneContent)
{
    const auto other = new_text + "other";
    const auto twice = [&] {
        const pid_t second = ::fork();
        int bad = 0, status = 0;
        for (int i = 0; i < 500; i++) bad += !write_file(dir, target, second == 0 ? other : new_text);
        if (second == 0) ::_exit(bad != 0);
        ::waitpid(second, &status, 0);
        return bad + status;
    };
    EXPECT_EQ(twice(), 0);
    const auto now = tree.content(target);
    EXPECT_TRUE(now == new_text || now == other);
    EXPECT_THAT(beside(), ElementsAre());
}

} // namespace
} // namespace nmib
