// SPDX-License-Identifier: LGPL-2.1-or-later
/// --now: an interface gets its name at once, and all that was up on it is up again, or all is as before.
#pragma once
#include "cli/name/bindings.hpp"
#include "probe/rtnl.hpp"

namespace nmib::cli
{

struct NowOutcome {
    enum class Kind {
        done,     ///< the interface has its name, what was up is up
        not_safe, ///< nothing was touched
        failed    ///< it was tried, and taken back as far as `why` says
    };
    Kind kind = Kind::done;
    std::string why{}; ///< one line, for not_safe and failed
    Words notes{};     ///< what else is to be said; with `done` alone
};

/// The profiles that are bound to the interface's name, and whether they may move.
struct Bound {
    ProfileMove &move; ///< from the name that the interface has to the new one; it is made here
    bool may_move = false;
};

/// Gives a port's interface another name. Safe is: the interface and its P_Key children are down, or are up by stored
/// profiles of NetworkManager, and so is what they are ports of. P_Key children are named after the interface again.
/// While it runs, neither a signal nor the end of a session over this very interface stops it. `daemon` and `bound` are
/// null where NetworkManager does not run; then everything has to be down.
NowOutcome name_now(Rtnl &rtnl, const Daemon *daemon, int ifindex, const IfName &to, const Bound *bound);

} // namespace nmib::cli
