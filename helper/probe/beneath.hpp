// SPDX-License-Identifier: LGPL-2.1-or-later
/// Opening below a directory that neither links nor dots can leave.
#pragma once

namespace nmib
{

/// openat(2) with O_CLOEXEC. -1 and errno as openat2(2) has it with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS.
int open_below(int dirfd, const char *path, int flags) noexcept;
/// The same step by step, where there is no openat2: a service with RestrictSUIDSGID= gets ENOSYS for it, as
/// NetworkManager.service does from 1.58 on. Stricter in two things: no link in /proc is followed, and a directory that
/// is itself opened has to be searchable, too.
int walk_below(int dirfd, const char *path, int flags) noexcept;

} // namespace nmib
