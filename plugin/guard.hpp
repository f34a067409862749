// SPDX-License-Identifier: GPL-2.0-or-later
/// A plugin that brought the daemon down must not do it again at every restart. The marker in /run/nm-infiniband/guard
/// says whether our code was running when the daemon ended, and how many starts in a row ended badly soon after.
#pragma once
#include "probe/guard.hpp"

namespace nmib
{

class Guard
{
public:
    /// The one of this process.
    static Guard &instance();

    /// Opens the marker and looks at what the last daemon left. The reason when the plugin must not load; no marker
    /// (the directory cannot be used) is no reason.
    std::optional<std::string> begin();
    /// The plugin is loaded: from now on this daemon is the one it works in.
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

    ~Guard();

    /// Seconds after which a start has lasted.
    static constexpr unsigned calm_after = 30;

private:
    void write() noexcept;
    /// Not a mapping: a file somebody cuts short would then kill the daemon with SIGBUS.
    void mark(bool inside) noexcept;

    UniqueFd fd_;
    GuardRecord record_;
    unsigned depth_ = 0;
    bool ended_ = false;
};

} // namespace nmib
