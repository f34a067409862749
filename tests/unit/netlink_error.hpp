// SPDX-License-Identifier: LGPL-2.1-or-later
/// Makes netlink fail.
#pragma once
#include <array>
#include <cstddef>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>

namespace nmib::test
{

/// Runs `what` in a thread where each sendmsg(2) fails with this errno. Returns false without seccomp.
template<class F> bool with_netlink_error(unsigned sys_errno, F &&what)
{
    bool filtered = false;
    std::thread([&] {
        std::array<sock_filter, 4> filter{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 0, 1),
                                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | sys_errno),
                                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
        const sock_fprog program{filter.size(), filter.data()};
        filtered = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                   ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
        if (filtered) what();
    }).join();
    return filtered;
}

} // namespace nmib::test
