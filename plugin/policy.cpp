// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy.hpp"

#include "core/plan/finding.hpp"
#include "log.hpp"
#include "probe/plan/policy.hpp"

namespace nmib
{

const Policy &current_policy()
{
    static PolicyCache cache(installed_policy_paths());
    static LoggedLines logged;
    const auto &read = cache.read();
    logged.next();
    for (const auto &w : read.warnings)
        if (logged.first_time(Finding::Severity::warning, w.what)) log(Finding::Severity::warning, w.what);
    return read.policy;
}

} // namespace nmib
