// SPDX-License-Identifier: LGPL-2.1-or-later
/// One event, from beginning to end.
#pragma once
#include "apply/plan/apply.hpp"
#include "core/plan/logged_lines.hpp"
#include "dispatch/event.hpp"
#include "dispatch/leftover.hpp"
#include "probe/plan/policy.hpp"
#include "probe/rdma/words.hpp"

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

} // namespace nmib
