// SPDX-License-Identifier: LGPL-2.1-or-later
/// The memory that a group, a user or a systemd unit may lock.
#pragma once
#include "core/host/file.hpp"

#include <cstdint>
#include <optional>

namespace nmib
{

struct MemlockTarget {
    enum class Kind { group, user, unit };
    Kind kind = Kind::user;
    std::string name{};
    /// Parses "@rdma", "alice", "slurmd.service", "user@.service". Returns nullopt for an impossible name.
    static std::optional<MemlockTarget> parse(std::string_view word);
    std::string str() const { return (kind == Kind::group ? "@" : "") + name; }
};

struct MemlockSize {
    std::optional<std::uint64_t> bytes{}; ///< nullopt: unlimited
    /// Parses "unlimited", or a number with K, M, G or T (powers of 1024). Refuses a number alone: ambiguous between
    /// limits.conf (KiB) and a unit (bytes).
    static std::optional<MemlockSize> parse(std::string_view word);
    std::string str() const; ///< one spelling for each size
};

/// The systemd unit in /proc/PID/cgroup; below a user's manager, the manager's unit. Empty if there is none.
std::string unit_of_cgroup(std::string_view text);

/// A memlock line of limits.conf(5): "WHO - memlock VALUE", also with "soft" or "hard". Other lines are ignored.
struct LimitsLine {
    std::string who{}, value{};
    static std::optional<LimitsLine> parse(std::string_view line);
};

constexpr std::string_view limits_directory = "/etc/security/limits.d", units_directory = "/etc/systemd/system";

/// The file that sets the limit. Without a size: only its path.
HostFile memlock_file(const MemlockTarget &target, const std::optional<MemlockSize> &size);

} // namespace nmib
