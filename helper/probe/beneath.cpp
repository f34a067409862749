// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/beneath.hpp"

#include "probe/unique_fd.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <new>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <vector>

namespace nmib
{

namespace
{
int failed(int why) noexcept
{
    errno = why;
    return -1;
}

/// Where a link points that is held with O_PATH; nothing, and errno, where it is not to be followed.
std::optional<std::string> target_of(int link)
{
    struct statfs where {
    };
    if (::fstatfs(link, &where) != 0) return std::nullopt;
    std::string target(PATH_MAX, '\0');
    const auto n = ::readlinkat(link, "", target.data(), target.size());
    if (n < 0) return std::nullopt;
    target.resize(static_cast<std::size_t>(n));
    if (where.f_type == PROC_SUPER_MAGIC)
        errno = ELOOP;
    else if (target.starts_with('/'))
        errno = EXDEV;
    else
        return target;
    return std::nullopt;
}

/// `rest` is what is still to be walked, `below` holds each directory that was entered: ".." is the one before.
int walk(int dirfd, std::string rest, int flags)
{
    constexpr int most_links = 40; // the kernel's MAXSYMLINKS
    if (rest.empty()) return failed(ENOENT);
    if (rest.starts_with('/')) return failed(EXDEV);
    std::vector<UniqueFd> below;
    for (int links = 0;;) {
        const int here = below.empty() ? dirfd : below.back().get();
        rest.erase(0, rest.find_first_not_of('/'));
        if (rest.empty()) return ::openat(here, ".", flags);
        const auto name = rest.substr(0, rest.find('/'));
        rest.erase(0, name.size());
        if (name == ".") continue;
        if (name == "..") {
            if (below.empty()) return failed(EXDEV);
            below.pop_back();
            continue;
        }
        UniqueFd next(::openat(here, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
        struct stat st {
        };
        if (!next || ::fstat(next.get(), &st) != 0) return -1;
        if (S_ISDIR(st.st_mode)) {
            below.push_back(std::move(next));
        } else if (S_ISLNK(st.st_mode)) {
            if (++links > most_links) return failed(ELOOP);
            const auto target = target_of(next.get());
            if (!target) return -1;
            rest.insert(0, *target);
        } else {
            if (!rest.empty() || (flags & O_DIRECTORY)) return failed(ENOTDIR);
            if (flags & O_PATH) return ::fcntl(next.get(), F_DUPFD_CLOEXEC, 0);
            return ::openat(here, name.c_str(), flags | O_NOFOLLOW); // it may have become a link
        }
    }
}
} // namespace

int walk_below(int dirfd, const char *path, int flags) noexcept
try {
    return walk(dirfd, path, flags | O_CLOEXEC);
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
    return fd < 0 && errno == ENOSYS ? walk_below(dirfd, path, flags) : fd;
}

} // namespace nmib
