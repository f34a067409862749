// SPDX-License-Identifier: LGPL-2.1-or-later
/// Runs the steps of `nm-ib check`.
#pragma once
#include "core/check/step.hpp"
#include "terminal/request.hpp"

#include <functional>

namespace nmib::cli
{

struct CheckRequest {
    std::string peer{}; ///< name or address
    int family = 0;     ///< AF_INET, AF_INET6, or 0 for either
    bool iperf = true;
    unsigned seconds = 5; ///< duration of iperf3
    unsigned least = 50;  ///< percent of the capacity; less is a warning
};

struct CheckReport {
    std::string peer{}, address{}; ///< as requested, and as a number
    LinkSeen link{};
    std::vector<CheckStep> steps{};
    std::optional<IperfSeen> iperf{};

    CheckStep::State worst() const noexcept;
};

/// Stops at the first step that fails. Calls `each` at the end of each step.
CheckReport run_check(const CheckRequest &request, const IpAddress &peer,
                      const std::function<void(const CheckStep &)> &each);

OwnVerb check_peer;

} // namespace nmib::cli
