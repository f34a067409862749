// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/beneath.hpp"

#include "probe/base/unique_fd.hpp"

#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <linux/openat2.h>
#include <new>
#include <string>
#include <sys/syscall.h>

namespace nmib
{

namespace
{
int failed(int why) noexcept
{
    errno = why;
    return -1;
}

/// The kernel's own name of an open file, a link to it.
std::string by_number(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

/// Its path without links and dots, with a slash behind it; empty where the kernel tells none.
std::string path_of(int fd)
{
    std::string path(PATH_MAX, '\0');
    const auto n = ::readlink(by_number(fd).c_str(), path.data(), path.size());
    path.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return path.empty() || path == "/" ? path : path + "/";
}
} // namespace

int open_checked(int dirfd, const char *path, int flags) noexcept
try {
    const UniqueFd file(::openat(dirfd, path, O_PATH | O_CLOEXEC | (flags & O_DIRECTORY)));
    if (!file) return -1;
    const auto top = path_of(dirfd);
    if (top.empty() || !path_of(file.get()).starts_with(top)) return failed(EXDEV);
    return ::open(by_number(file.get()).c_str(), flags | O_CLOEXEC);
} catch (const std::bad_alloc &) {
    return failed(ENOMEM);
}

int open_below(int dirfd, const char *path, int flags) noexcept
{
    open_how how{};
    how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    // EAGAIN: something was renamed or mounted, anywhere, while a ".." was followed; it says nothing about this path.
    int fd = -1;
    for (int tries = 0; tries < 1000; tries++) {
        fd = static_cast<int>(::syscall(SYS_openat2, dirfd, path, &how, sizeof(how)));
        if (fd >= 0 || errno != EAGAIN) break;
    }
    return fd < 0 && errno == ENOSYS ? open_checked(dirfd, path, flags) : fd;
}

} // namespace nmib
