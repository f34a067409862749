// SPDX-License-Identifier: LGPL-2.1-or-later
// Each case gives up privileges permanently, so each runs in a child.
#include "dispatch/event.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <string>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
/// The function's result in a confined child; 255 if the child could not be confined.
template<class F> int confined(F f)
{
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(nmib::confine() ? f() : 255);
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}
} // namespace

TEST(Confine, ExecutedProgramGetsNoNewPrivileges)
{
    EXPECT_EQ(confined([] { return ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }), 1);
    if (::geteuid() != 0) GTEST_FAIL() << "to be run as root";
    EXPECT_EQ(confined([] {
                  const char *mount[] = {"/bin/sh", "-c", "! mount -t tmpfs none /mnt 2>/dev/null", nullptr};
                  ::execv(mount[0], const_cast<char **>(mount));
                  return errno;
              }),
              0);
}

TEST(Confine, KeepsOneCapability)
{
    if (::geteuid() != 0) GTEST_FAIL() << "to be run as root";
    EXPECT_EQ(confined([] {
                  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
                  __user_cap_data_struct data[2] = {};
                  ::syscall(SYS_capget, &header, data);
                  const auto only = 1U << CAP_NET_ADMIN;
                  return data[0].effective == only && data[0].permitted == only && data[1].effective == 0 ? 0 : 1;
              }),
              0);
    EXPECT_EQ(confined([] { return ::mount("none", "/mnt", "tmpfs", 0, nullptr) == 0 ? 0 : errno; }), EPERM);
}

TEST(Confine, DeadlineIsLogged)
{
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        nmib::set_deadline(600);
        ::raise(SIGALRM);
        ::_exit(0);
    }
    ::close(ends[1]);
    char text[200];
    const auto n = ::read(ends[0], text, sizeof(text));
    ::close(ends[0]);
    EXPECT_EQ(std::string(text, n > 0 ? static_cast<std::size_t>(n) : 0),
              "<3>nm-ib: the kernel did not answer in time, skipping the rest of this event\n");
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

TEST(Confine, EndsAtItsDeadline)
{
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::close(STDERR_FILENO);
        nmib::set_deadline(1);
        for (;;) ::pause();
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}
