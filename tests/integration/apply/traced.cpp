// SPDX-License-Identifier: LGPL-2.1-or-later
#include "traced.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nmib::test
{

namespace
{
#ifdef __x86_64__
void set(pid_t child, std::size_t at, long value)
{
    if (::ptrace(PTRACE_POKEUSER, child, at, value) != 0) throw std::runtime_error("PTRACE_POKEUSER");
}
/// Makes the kernel skip the call that the child enters.
void skip(pid_t child) { set(child, offsetof(user_regs_struct, orig_rax), -1); }
void result(pid_t child, long value) { set(child, offsetof(user_regs_struct, rax), value); }
constexpr bool known = true;
#else
void skip(pid_t) {}
void result(pid_t, long) {}
constexpr bool known = false;
#endif

/// Memory, signals and exit do not change files, and their number depends on the allocator.
bool counts(long number)
{
    constexpr std::array others = {SYS_brk,          SYS_mmap,    SYS_munmap,
                                   SYS_mprotect,     SYS_madvise, SYS_rt_sigprocmask,
                                   SYS_rt_sigaction, SYS_futex,   SYS_exit_group};
    return std::find(others.begin(), others.end(), number) == others.end();
}

/// Waits for the next stop at a system call; false if the child is gone.
bool next(pid_t child, int &status)
{
    if (::ptrace(PTRACE_SYSCALL, child, 0, 0) != 0) throw std::runtime_error("PTRACE_SYSCALL");
    if (::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid");
    return WIFSTOPPED(status) && WSTOPSIG(status) == (SIGTRAP | 0x80);
}

long number(pid_t child)
{
    __ptrace_syscall_info info{};
    if (::ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), &info) < 0)
        throw std::runtime_error("PTRACE_GET_SYSCALL_INFO");
    return static_cast<long>(info.entry.nr);
}

Traced follow(pid_t child, std::optional<Moment> moment)
{
    using Act = Moment::Act;
    Traced t;
    int status = 0;
    if (::waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) throw std::runtime_error("no stop");
    if (::ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
        throw std::runtime_error("PTRACE_SETOPTIONS");
    const auto kill = [&] {
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        return t;
    };
    while (next(child, status)) {
        const auto n = number(child);
        const bool now = counts(n) && moment && t.calls.size() == moment->call;
        if (counts(n)) t.calls.push_back(n);
        if (now && moment->act == Act::kill_before) return kill();
        if (now && moment->act == Act::fail) skip(child);
        if (!next(child, status)) break;
        if (now && moment->act == Act::kill_after) return kill();
        if (now && moment->act == Act::fail) result(child, -moment->error);
    }
    t.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (!WIFEXITED(status) && !WIFSIGNALED(status)) (void)kill();
    return t;
}
} // namespace

bool can_fail() { return known; }

Traced trace(const std::function<int()> &work, std::optional<Moment> moment)
{
    const pid_t child = ::fork();
    if (child == 0) {
        ::ptrace(PTRACE_TRACEME, 0, 0, 0);
        ::kill(::getpid(), SIGSTOP);
        // Not _exit(): a sanitizer makes system calls before it.
        for (const int status = work();;) ::syscall(SYS_exit_group, status);
    }
    return follow(child, moment);
}

} // namespace nmib::test
