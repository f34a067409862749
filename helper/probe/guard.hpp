// SPDX-License-Identifier: LGPL-2.1-or-later
/// The device plugin's note on itself, /run/nm-infiniband/guard: which daemon it works in, and whether that daemon was
/// running the plugin's code when it ended. The plugin writes it; others ask whether the plugin is in charge.
#pragma once
#include "probe/dir.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>

namespace nmib
{

/// One line of text of a fixed length, so that a write of it, or of its first byte alone, is never half done.
struct GuardRecord {
    static constexpr const char *file = "guard";
    static constexpr std::size_t size = 80;
    static constexpr unsigned most_unstable = 3; ///< as many bad starts in a row are the end of it

    bool inside = false;     ///< the plugin's code is running right now
    unsigned unstable = 0;   ///< starts in a row that came to no clean end soon after loading, before this one
    bool calm = true;        ///< this start has lasted, or has ended cleanly
    pid_t pid = 0;           ///< the daemon that has the plugin loaded; 0: none
    std::uint64_t start = 0; ///< when that process began (/proc/<pid>/stat, field 22): pids come round again

    std::string str() const;
    static std::optional<GuardRecord> parse(std::string_view text);
    /// The first byte of str(), for one write in place.
    static char mark(bool inside) noexcept { return inside ? '!' : '.'; }

    /// How many bad starts in a row there are, when the process that wrote this is gone.
    unsigned unstable_now() const noexcept { return pid != 0 && !calm ? unstable + 1 : 0; }
};

/// Field 22 of /proc/<pid>/stat: clock ticks between boot and the start of the process.
std::optional<std::uint64_t> process_start(pid_t pid, const std::string &proc = "/proc");

/// The daemon whose activations the plugin takes care of, if there is one and it runs. `state` is /run/nm-infiniband.
std::optional<pid_t> plugin_in_charge(const Dir &state, const std::string &proc = "/proc");

} // namespace nmib
