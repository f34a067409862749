// SPDX-License-Identifier: LGPL-2.1-or-later
/// How much memory processes may lock, and the users and groups, as the system knows them.
#pragma once
#include "core/doctor/host.hpp"
#include "probe/base/dir.hpp"

#include <map>
#include <set>

namespace nmib
{

/// The soft limit in a process's file "limits" (proc(5)), in bytes; the largest number for "unlimited".
std::optional<std::uint64_t> parse_memlock(std::string_view limits);

/// Of processes that have a node of libibverbs open, and of services that start jobs. `proc` is /proc. Processes that
/// cannot be read are left out, and so are processes with CAP_IPC_LOCK, to which the limit does not apply; jobs do not
/// inherit the capability.
std::vector<MemlockLimit> read_memlock_limits(const Dir &proc);

/// In bytes, of one process; nothing where it is gone or we may not look.
std::optional<std::uint64_t> read_memlock(const Dir &proc, int pid);
/// Of all processes of these users, the smallest of each user and unit; kernel threads are left out.
std::multimap<std::uint32_t, MemlockLimit> memlock_of_users(const Dir &proc, const std::set<std::uint32_t> &uids);

using Users = std::map<std::uint32_t, std::string>;

/// The users of these names that there are, by their numbers.
Users find_users(std::set<std::string> names);
/// The users of a group, also by their own entry (of users that the system lists); nothing where there is no such
/// group.
std::optional<Users> find_group(const std::string &name);

} // namespace nmib
