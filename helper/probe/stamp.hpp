// SPDX-License-Identifier: LGPL-2.1-or-later
/// What tells a file from what it was before: its device, inode and size, and the times of last modification and last
/// change. Nobody can set the last, so whatever is done to a file shows, unless it is done within the same tick.
#pragma once
#include <array>
#include <cstdint>
#include <sys/stat.h>

namespace nmib
{

using Stamp = std::array<std::uint64_t, 7>;

inline Stamp stamp(const struct stat &st) noexcept
{
    const auto u = [](auto n) { return static_cast<std::uint64_t>(n); };
    return {u(st.st_dev),          u(st.st_ino),         u(st.st_size),        u(st.st_mtim.tv_sec),
            u(st.st_mtim.tv_nsec), u(st.st_ctim.tv_sec), u(st.st_ctim.tv_nsec)};
}

} // namespace nmib
