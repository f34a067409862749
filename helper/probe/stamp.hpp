// SPDX-License-Identifier: LGPL-2.1-or-later
/// What tells a file from what it was before: its device, inode and size, and the times of last modification and last
/// change in nanoseconds. Nobody can set the last, so whatever is done to a file shows, unless it is done within the
/// same tick.
#pragma once
#include <array>
#include <cstdint>
#include <sys/stat.h>

namespace nmib
{

struct Stamp {
    std::uint64_t device, inode, size, modified, changed;
    bool operator==(const Stamp &) const = default;
};

inline Stamp stamp(const struct stat &st) noexcept
{
    const auto u = [](auto n) { return static_cast<std::uint64_t>(n); };
    const auto time = [&](const timespec &t) { return u(t.tv_sec) * 1'000'000'000 + u(t.tv_nsec); };
    return {u(st.st_dev), u(st.st_ino), u(st.st_size), time(st.st_mtim), time(st.st_ctim)};
}

} // namespace nmib
