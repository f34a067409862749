// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy.hpp"

#include "log.hpp"
#include "probe/conf.hpp"

namespace nmib
{

Policy current_policy()
{
    static std::vector<std::string> said;
    auto read = read_policy(installed_policy_paths());
    std::vector<std::string> now;
    for (auto &w : read.warnings) now.push_back(std::move(w.what));
    if (now != said)
        for (const auto &line : now) log(Finding::Severity::warning, line);
    said = std::move(now);
    return std::move(read.policy);
}

} // namespace nmib
