// SPDX-License-Identifier: LGPL-2.1-or-later
/// Limits for locked memory of processes.
#pragma once
#include "core/doctor/host.hpp"
#include "probe/base/dir.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace nmib
{

/// Parses the soft limit in a process's file "limits" (proc(5)), in bytes; the largest number for "unlimited".
std::optional<std::uint64_t> parse_memlock(std::string_view limits);

/// Reads the limits of processes with an open libibverbs node, and of services that start jobs. `proc` is /proc. Skips
/// unreadable processes, and those with CAP_IPC_LOCK: the limit does not apply. Jobs do not inherit the capability.
std::vector<MemlockLimit> read_memlock_limits(const Dir &proc);

} // namespace nmib
