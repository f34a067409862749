// SPDX-License-Identifier: GPL-2.0-or-later
/// Keeps a plugin that crashed the daemon from being loaded at every restart. The marker in
/// /run/NetworkManager/nm-infiniband/crash-marker records whether the plugin's code was running when the daemon ended,
/// and how many starts in a row ended badly soon after loading.
#pragma once
#include "log.hpp"
#include "probe/plan/state.hpp"

namespace nmib
{

class CrashMarker
{
public:
    static CrashMarker &instance();

    /// Reads the marker of the last daemon and replaces it. Until end(), the new marker says that the plugin is in
    /// charge. Returns the reason if the plugin must not load. A marker that cannot be written is only a warning.
    std::optional<std::string> begin();
    /// The plugin is loaded: counts this start as unstable until calm() or end().
    void loaded() noexcept;
    void calm() noexcept;
    /// The daemon ends cleanly, or the plugin is not loaded after all.
    void end() noexcept;

    /// Marks the plugin's code as running while it exists.
    class Inside
    {
    public:
        Inside() noexcept;
        ~Inside();
        Inside(const Inside &) = delete;
        Inside &operator=(const Inside &) = delete;
    };

    ~CrashMarker();

    /// Seconds from loaded() to calm().
    static constexpr unsigned calm_after = 30;

private:
    void write(const MarkerRecord &record) noexcept;
    /// Writes with pwrite(), not through a mapping: if the file is truncated, a mapping kills the daemon with SIGBUS.
    void mark(bool inside) noexcept;

    UniqueFd fd_;
    unsigned unstable_ = 0; ///< starts before this one
    unsigned depth_ = 0;
    int process_ = 0; ///< PID of the daemon: exit() in a forked child must not end the marker
};

/// Runs the plugin's code for a call of the daemon: inside the marker, and with its exceptions logged.
template<class F> void enter(const char *where, F &&what) noexcept
{
    const CrashMarker::Inside inside;
    fenced(where, what);
}

} // namespace nmib
