// SPDX-License-Identifier: LGPL-2.1-or-later
/// Handles one event.
#pragma once
#include "apply/plan/apply.hpp"
#include "core/plan/finding.hpp"
#include "core/plan/leftover.hpp"
#include "core/plan/moment.hpp"
#include "dispatch/event.hpp"
#include "probe/plan/policy.hpp"
#include "probe/plan/probe.hpp"
#include "probe/rdma/facts.hpp"

namespace nmib
{

struct HandlePaths {
    PolicyPaths policy = installed_policy_paths();
    ProbePaths probe;
    std::string words = words_directory;
};

using Lines = std::vector<std::pair<Severity, std::string>>;

/// Returns true for an error other than "no such interface", and adds an error line.
inline bool is_unread(const Result<LinkRow> &row, Lines &lines)
{
    const bool unread = !row && row.error().kind != Error::Kind::absent;
    if (unread) lines.emplace_back(Severity::error, row.error().what);
    return unread;
}

/// Reads the lines logged for this interface and profile at earlier events. `state`: /run/NetworkManager/nm-infiniband.
LoggedLines read_logged(const std::string &state, const LinkRow &link, const std::string &uuid);
/// If the lines cannot be kept, later events log them again.
void keep_logged(const std::string &state, const LinkRow &link, const std::string &uuid, const LoggedLines &logged);

/// Handles the event. Returns lines for the log; with log-level=debug also why nothing was done.
Lines handle(const Event &event, const HandlePaths &paths);

// P_Key children that NetworkManager leaves behind, if the plugin is not in charge.

/// On `up`: remembers a child that a profile made, according to NetworkManager's note, with its carrier change counter.
/// Only a remembered child is ever removed.
Result<void> remember_child(const LinkRow &child, const ProbePaths &paths);

/// On `down`, and again after the wait. The event may be late, or the profile may be active again on the same
/// interface. NetworkManager takes an interface down and up when activating, but not when deactivating. So a child is
/// in use if its carrier change counter differs from the one at `up`. After a flap of the link a child may stay;
/// otherwise a profile could lose its interface.
Leftover judge_leftover(const LinkRow &child, const ProbePaths &paths, bool waited);

/// Seconds between the two checks. NetworkManager queues an activation without a carrier for 6 s (nm-device.c).
/// nm-dispatcher ends after 10 idle seconds; the helper must end earlier.
constexpr unsigned leftover_wait(Leftover verdict) noexcept { return verdict == Leftover::later ? 8 : 2; }

} // namespace nmib
