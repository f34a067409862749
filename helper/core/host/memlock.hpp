// SPDX-License-Identifier: LGPL-2.1-or-later
/// The memory that the users of a group may lock.
#pragma once
#include "core/host/file.hpp"

#include <cstdint>
#include <optional>

namespace nmib
{

/// Returns true for a name that useradd would accept, and a little more: no white space, and nothing that pam_limits
/// interprets ("*", "%", ":").
bool is_group_name(std::string_view name) noexcept;

struct MemlockSize {
    std::optional<std::uint64_t> bytes{}; ///< nullopt: unlimited
    /// Parses "unlimited", or a number with K, M, G or T (powers of 1024). Refuses a number alone: limits.conf has
    /// KiB, systemd bytes.
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

constexpr std::string_view limits_directory = "/etc/security/limits.d";

/// The file that sets the limit of a group. Without a size: only its path.
HostFile memlock_file(const std::string &group, const std::optional<MemlockSize> &size);

} // namespace nmib
