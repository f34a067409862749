// SPDX-License-Identifier: LGPL-2.1-or-later
/// One event, from beginning to end.
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

using Lines = std::vector<std::pair<Finding::Severity, std::string>>;

/// True after a read error other than "no such interface", which becomes an error line.
inline bool is_unread(const Result<LinkRow> &row, Lines &lines)
{
    const bool unread = !row && row.error().kind != Error::Kind::absent;
    if (unread) lines.emplace_back(Finding::Severity::error, row.error().what);
    return unread;
}

/// The logged lines of an interface between one event and the next; none of another profile. `state` is
/// /run/NetworkManager/nm-infiniband; `uuid` the profile's.
LoggedLines read_logged(const std::string &state, const LinkRow &link, const std::string &uuid);
/// Where nothing can be kept, lines are logged again.
void keep_logged(const std::string &state, const LinkRow &link, const std::string &uuid, const LoggedLines &told);

/// Does what the event asks for and logs it; with log-level=debug also why there was nothing to do.
Lines handle(const Event &event, const HandlePaths &paths);

// P_Key children that NetworkManager leaves behind, where the plugin does not see to them.

/// On `up`: remembers that this child was made by a profile, if NetworkManager's own note says so, and how often its
/// carrier had changed by then. Only such a one is ever removed.
Result<void> remember_child(const LinkRow &child, const ProbePaths &paths);

/// On `down`, and again after the wait. The event may come late, or belong to a profile that is brought up again:
/// NetworkManager then uses the same interface. It takes every interface down and up when it activates it and not when
/// it deactivates it, so the carrier decides: one that has changed since `up` is in use. (After a flap of the link that
/// leaves a child behind; the other way a profile would lose its interface.)
Leftover judge_leftover(const LinkRow &child, const ProbePaths &paths, bool waited);

/// Seconds between the two looks. An activation that is queued until the carrier is there has 6 of them (nm-device.c);
/// with less than 10, nm-dispatcher, which ends when it is idle for so long, ends later than the helper.
constexpr unsigned leftover_wait(Leftover verdict) noexcept { return verdict == Leftover::later ? 8 : 2; }

} // namespace nmib
