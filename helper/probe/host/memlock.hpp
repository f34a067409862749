// SPDX-License-Identifier: LGPL-2.1-or-later
/// How much memory processes may lock.
#pragma once
#include "core/diagnose/services.hpp"
#include "probe/dir.hpp"

namespace nmib
{

/// The soft limit in a process's file "limits" (proc(5)), in bytes; the largest number for "unlimited".
std::optional<std::uint64_t> parse_memlock(std::string_view limits);

/// Of processes that have a node of libibverbs open, and of services that start jobs. `proc` is /proc; processes that
/// we may not look into are left out.
std::vector<MemlockLimit> read_memlock_limits(const Dir &proc);

/// In bytes, of one process; nothing where it is gone or we may not look.
std::optional<std::uint64_t> read_memlock(const Dir &proc, int pid);
/// The smallest of a user's processes; nothing where he has none.
std::optional<MemlockLimit> smallest_memlock_of(const Dir &proc, std::uint32_t uid);

} // namespace nmib
