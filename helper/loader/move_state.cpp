// SPDX-License-Identifier: LGPL-2.1-or-later
#include "loader/move_state.hpp"

#include "probe/base/dir.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace nmib
{

Result<bool> move_state(const std::string &from, const std::string &to)
{
    struct stat st {
    };
    if (::lstat(from.c_str(), &st) != 0 || !S_ISDIR(st.st_mode)) return false;
    if (st.st_uid != ::geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return Error{Error::Kind::denied, from + ": not moved, others than root can write there"};
    if (::mkdir(to.c_str(), 0755) != 0 && errno != EEXIST) return sys_error(errno, to);
    const auto old = Dir::open(from), dir = Dir::open(to);
    if (!old) return old.error();
    if (!dir) return dir.error();
    const auto names = old->list();
    if (!names) return names.error();
    for (const auto &name : *names)
        if (::renameat2(old->fd(), name.c_str(), dir->fd(), name.c_str(), RENAME_NOREPLACE) != 0 && errno == EEXIST)
            (void)::unlinkat(old->fd(), name.c_str(), 0); // the new one is newer
    if (::rmdir(from.c_str()) != 0 || ::symlink(to.c_str(), from.c_str()) != 0) return sys_error(errno, from);
    return true;
}

void remove_state_symlink(const std::string &from, const std::string &to)
{
    char target[256];
    const auto n = ::readlink(from.c_str(), target, sizeof target);
    if (n > 0 && to == std::string_view(target, static_cast<std::size_t>(n))) (void)::unlink(from.c_str());
}

} // namespace nmib
