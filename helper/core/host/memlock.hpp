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

constexpr std::string_view limits_directory = "/etc/security/limits.d", units_directory = "/etc/systemd/system";

/// Without a size: where the file would be.
HostFile memlock_file(const MemlockTarget &target, const std::optional<MemlockSize> &size);

} // namespace nmib
