// SPDX-License-Identifier: LGPL-2.1-or-later
/// Applies a plan.
#pragma once
#include "core/plan/plan.hpp"
#include "probe/plan/probe.hpp"
#include "probe/plan/state.hpp"

namespace nmib
{

// State files in /run/NetworkManager/nm-infiniband.

/// Writes an interface's file of this kind; makes the directory `state` if missing. Only ceilings are world-readable.
Result<void> keep_state(const std::string &state, std::string_view kind, const IfName &name, int ifindex,
                        const std::string &text);
/// The same for a kind that follows its interface through renames.
Result<void> keep_state(const std::string &state, std::string_view kind, int ifindex, const std::string &text);

struct Applied {
    std::vector<Change> done;    ///< changes with an effect; SetMtu::at_most is the resulting MTU
    std::size_t idle = 0;        ///< changes that the kernel accepted without an effect
    std::vector<Error> failures; ///< the other changes are still tried
    bool connected_refused = false;
    std::optional<Mtu> ceiling{}; ///< the MTU that the kernel granted, if less than requested
    bool mtu_refused = false;     ///< the kernel refused the requested MTU
};

enum class Use {
    active, ///< apply everything
    ahead   ///< before NetworkManager sets up the interface: try only connected mode, and only if a quirk says that the
            ///< driver may refuse it
};

/// Applies every change in order. An interface that has vanished is no failure.
Applied apply(Probe &probe, const std::string &state, const Plan &plan, Use use = Use::active);

struct Outcome {
    Applied applied;
    Plan plan;                  ///< after the changes
    std::optional<Link> link{}; ///< after the changes; nothing if the interface has vanished
};
/// Reads facts, plans and applies; then reads and plans again, so that the findings describe the result.
Result<Outcome> plan_and_apply(Probe &probe, const std::string &state, const Intent &intent, const Policy &policy,
                               Probe::Depth depth = Probe::Depth::all, Use use = Use::active);

/// Returns the findings of the plan, without quirk_already if an offload was switched just now.
std::vector<Finding> findings(const Outcome &outcome);
/// Returns lines for a log: changes, failures, then findings. `quiet`: no findings if nothing was done.
std::vector<std::pair<Severity, std::string>> lines(const Outcome &outcome, const Policy &policy, bool quiet);

} // namespace nmib
