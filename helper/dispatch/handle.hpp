// SPDX-License-Identifier: LGPL-2.1-or-later
/// One event, from beginning to end.
#pragma once
#include "apply/apply.hpp"
#include "dispatch/event.hpp"
#include "dispatch/leftover.hpp"
#include "probe/conf.hpp"

namespace nmib
{

struct HandlePaths {
    PolicyPaths policy = installed_policy_paths();
    ProbePaths probe;
};

using Lines = std::vector<std::pair<Finding::Severity, std::string>>;

/// Cheap: one file. False for everything that is no InfiniBand interface, a vanished one included.
bool is_infiniband(const IfName &link, const std::string &sysfs = "/sys") noexcept;

/// Does what the event asks for and tells what there is to tell; with log-level=debug also why there was nothing to do.
Lines handle(const Event &event, const HandlePaths &paths);

} // namespace nmib
