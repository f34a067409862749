// SPDX-License-Identifier: LGPL-2.1-or-later
/// Opening below a directory that neither links nor dots can leave.
#pragma once

namespace nmib
{

/// openat(2) with O_CLOEXEC. -1 and errno as openat2(2) has it with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS.
int open_below(int dirfd, const char *path, int flags) noexcept;
/// The same where there is no openat2: a service with RestrictSUIDSGID= gets ENOSYS for it, as NetworkManager.service
/// does from 1.58 on. What was found is asked where it is, before it is opened for more than that; so a way that leaves
/// the directory and comes back is allowed here.
int open_checked(int dirfd, const char *path, int flags) noexcept;

} // namespace nmib
