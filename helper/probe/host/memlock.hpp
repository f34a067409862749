// SPDX-License-Identifier: LGPL-2.1-or-later
/// Limits for locked memory of processes, and the system's users and groups.
#pragma once
#include "core/doctor/host.hpp"
#include "probe/base/dir.hpp"

#include <map>
#include <set>

namespace nmib
{

/// Parses the soft limit in a process's file "limits" (proc(5)), in bytes; the largest number for "unlimited".
std::optional<std::uint64_t> parse_memlock(std::string_view limits);

/// Reads the limits of processes with an open libibverbs node, and of services that start jobs. `proc` is /proc. Skips
/// unreadable processes, and those with CAP_IPC_LOCK: the limit does not apply. Jobs do not inherit the capability.
std::vector<MemlockLimit> read_memlock_limits(const Dir &proc);

/// Reads the limit of a process in bytes; nothing if it is gone or may not be read.
std::optional<std::uint64_t> read_memlock(const Dir &proc, int pid);
/// Returns the smallest limit for each of these users and unit; kernel threads are skipped.
std::multimap<std::uint32_t, MemlockLimit> memlock_of_users(const Dir &proc, const std::set<std::uint32_t> &uids);

using Users = std::map<std::uint32_t, std::string>;

/// Returns the existing users with these names, by number.
Users find_users(std::set<std::string> names);
/// Returns the members of a group, and listed users with this primary group; nothing if there is no such group.
std::optional<Users> find_group(const std::string &name);

} // namespace nmib
