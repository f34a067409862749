// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy.hpp"

#include "log.hpp"
#include "probe/policy_cache.hpp"

#include <algorithm>

namespace nmib
{

const Policy &current_policy()
{
    static PolicyCache cache(installed_policy_paths());
    static std::vector<std::string> said;
    const auto &read = cache.read();
    const auto same = [](const std::string &line, const Error &w) { return line == w.what; };
    if (!std::equal(said.begin(), said.end(), read.warnings.begin(), read.warnings.end(), same)) {
        said.clear();
        for (const auto &w : read.warnings) log(Finding::Severity::warning, said.emplace_back(w.what));
    }
    return read.policy;
}

} // namespace nmib
