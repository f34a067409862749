// SPDX-License-Identifier: LGPL-2.1-or-later
/// How much memory a group, a user or a unit of systemd may lock.
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
    /// "@rdma", "alice", "slurmd.service", "user@.service". Nothing for what cannot be a name.
    static std::optional<MemlockTarget> parse(std::string_view word);
    std::string str() const { return (kind == Kind::group ? "@" : "") + name; }
};

struct MemlockSize {
    std::optional<std::uint64_t> bytes{}; ///< nothing: unlimited
    /// "unlimited", or a number with K, M, G or T, powers of 1024. A number alone is nothing: limits.conf counts KiB, a
    /// unit bytes.
    static std::optional<MemlockSize> parse(std::string_view word);
    std::string str() const; ///< the same spelling for the same size
};

/// The unit that a process is in, of /proc/PID/cgroup: of what a user's manager started, that manager's. Empty without.
std::string unit_of_cgroup(std::string_view text);

/// The value behind "WHO - memlock", "WHO soft memlock" or "WHO hard memlock" in a line of limits.conf(5), and who;
/// nothing for others.
struct LimitsLine {
    std::string who{}, value{};
    static std::optional<LimitsLine> parse(std::string_view line);
};

constexpr std::string_view limits_directory = "/etc/security/limits.d", units_directory = "/etc/systemd/system";

/// Without a size: where the file would be.
HostFile memlock_file(const MemlockTarget &target, const std::optional<MemlockSize> &size);

} // namespace nmib
