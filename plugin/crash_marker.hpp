// SPDX-License-Identifier: GPL-2.0-or-later
/// A plugin that brought the daemon down must not do it again at every restart. The marker in
/// /run/NetworkManager/nm-infiniband/crash-marker says whether our code was running when the daemon ended, and how many
/// starts in a row ended badly soon after.
#pragma once
#include "probe/plan/state.hpp"

namespace nmib
{

class CrashMarker
{
public:
    /// The one of this process.
    static CrashMarker &instance();

    /// Looks at what the last daemon left, and puts a marker of this one in its place, which says to everybody that
    /// the plugin is in charge here until end(). The reason when the plugin must not load; no marker (the directory
    /// cannot be used) is no reason.
    std::optional<std::string> begin();
    /// The plugin is loaded: until calm() an end that is not clean counts.
    void loaded();
    /// The start has lasted: what comes now is no failed start.
    void calm();
    /// A clean end, or not loaded after all.
    void end() noexcept;

    /// Held while code of ours runs.
    class Inside
    {
    public:
        Inside() noexcept;
        ~Inside();
        Inside(const Inside &) = delete;
        Inside &operator=(const Inside &) = delete;
    };

    ~CrashMarker();

    /// Seconds after which a start has lasted.
    static constexpr unsigned calm_after = 30;

private:
    void write(bool last = false) noexcept;
    /// Not a mapping: a truncated file would then kill the daemon with SIGBUS.
    void mark(bool inside) noexcept;

    UniqueFd fd_;
    MarkerRecord record_;
    unsigned depth_ = 0;
    int process_ = 0; ///< the daemon's: a child that it forks and that calls exit() ends nothing
};

} // namespace nmib
