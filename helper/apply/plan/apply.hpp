// SPDX-License-Identifier: LGPL-2.1-or-later
/// Carries a plan out.
#pragma once
#include "core/plan/plan.hpp"
#include "probe/plan/probe.hpp"
#include "probe/plan/state.hpp"

namespace nmib
{

// Keeps what is learned of an interface in /run/NetworkManager/nm-infiniband.

/// Writes the file of this kind about an interface, in the directory `state`, which is made if there is none. Only root
/// can read it, unless it is a ceiling.
Result<void> keep_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex,
                        const std::string &text);
/// The same of a kind that follows its interface through renames.
Result<void> keep_state(const std::string &state, std::string_view kind, int ifindex, const std::string &text);

struct Applied {
    std::vector<Change> done;    ///< what really changed something; SetMtu::at_most is the MTU that came of it
    std::size_t idle = 0;        ///< changes that the kernel took and that changed nothing
    std::vector<Error> failures; ///< the rest of the plan was tried all the same
    bool connected_refused = false;
    std::optional<Mtu> ceiling{}; ///< what the kernel gave where it gave less than was asked
};

/// For what an interface is settled.
enum class Use {
    active, ///< everything is carried out
    ahead ///< NetworkManager is still to set it up: only connected mode is tried, and only on drivers of which a quirk
          ///< says that they may refuse it
};

/// Every change in order. An interface that vanished meanwhile is no failure.
Applied apply(Probe &probe, const std::string &state, const Plan &plan, Use use = Use::active);

/// The whole job for one interface: facts, plan, changes, and facts and plan once more, so that the findings speak of
/// what is.
struct Outcome {
    Applied applied;
    Plan plan;                  ///< after the changes
    std::optional<Link> link{}; ///< likewise; nothing when it has vanished meanwhile
};
Result<Outcome> settle(Probe &probe, const std::string &state, const Intent &intent, const Policy &policy,
                       Probe::Depth depth = Probe::Depth::all, Use use = Use::active);

/// Those of the plan, but not that an offload is as it should be when it was switched just now.
std::vector<Finding> findings(const Outcome &outcome);
/// Lines for a log: what was done, what failed, then the findings that matter. `quiet` leaves out findings when nothing
/// was done.
std::vector<std::pair<Finding::Severity, std::string>> lines(const Outcome &outcome, const Policy &policy, bool quiet);

} // namespace nmib
