// SPDX-License-Identifier: LGPL-2.1-or-later
#include "dispatch/confine.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nmib
{

namespace
{
#if defined(__x86_64__)
constexpr unsigned arch = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned arch = AUDIT_ARCH_AARCH64;
#else
constexpr unsigned arch = 0; // no filter there: capabilities alone
#endif

constexpr std::array forbidden = {SYS_execve,         SYS_execveat,     SYS_ptrace,     SYS_process_vm_writev,
                                  SYS_mount,          SYS_umount2,      SYS_pivot_root, SYS_chroot,
                                  SYS_init_module,    SYS_finit_module, SYS_bpf,        SYS_setns,
                                  SYS_unshare,        SYS_keyctl,       SYS_reboot,     SYS_kexec_load,
                                  SYS_perf_event_open};

/// One program: wrong architecture or a forbidden number gives EPERM, everything else goes on.
Result<void> filter_syscalls()
{
    constexpr auto n = forbidden.size();
    std::array<sock_filter, n + 6> code{};
    std::size_t i = 0;
    const auto emit = [&](sock_filter f) { code[i++] = f; };
    emit(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
    emit(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 0, static_cast<std::uint8_t>(n + 2)));
    emit(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    for (std::size_t k = 0; k < n; k++)
        emit(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(forbidden[k]), static_cast<std::uint8_t>(n - k),
                      0));
    emit(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    emit(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    const sock_fprog program{static_cast<unsigned short>(i), code.data()};
    if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return sys_error(errno, "system call filter");
    return {};
}

Result<void> drop_capabilities()
{
    for (int cap = 0; ::prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
        if (cap != CAP_NET_ADMIN && ::prctl(PR_CAPBSET_DROP, cap) != 0 && errno != EPERM)
            return sys_error(errno, "capability bounding set");
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    data[0].effective = data[0].permitted = 1U << CAP_NET_ADMIN;
    if (::syscall(SYS_capset, &header, data.data()) != 0) return sys_error(errno, "capabilities");
    return {};
}

void too_late(int) noexcept
{
    constexpr std::string_view line = "<3>nm-ib: not done in time, given up (the interface is left as it is)\n";
    (void)!::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(1);
}
} // namespace

Result<void> confine()
{
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return sys_error(errno, "no_new_privs");
    if (auto r = drop_capabilities(); !r) return r;
    return arch != 0 ? filter_syscalls() : Result<void>();
}

void set_deadline(unsigned seconds) noexcept
{
    struct sigaction action {
    };
    action.sa_handler = too_late;
    ::sigaction(SIGALRM, &action, nullptr);
    ::alarm(seconds);
}

} // namespace nmib
