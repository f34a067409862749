// SPDX-License-Identifier: LGPL-2.1-or-later
/// The steps of `nm-ib check`, one after the other.
#pragma once
#include "core/check/step.hpp"

#include <functional>

namespace nmib::cli
{

struct CheckRequest {
    std::string peer{}; ///< a name or an address
    int family = 0;     ///< AF_INET, AF_INET6, or 0 for either
    bool iperf = true;
    unsigned seconds = 5; ///< that iperf3 sends
    unsigned least = 50;  ///< per cent of the data rate; below is a warning
};

struct CheckReport {
    std::string peer{}, address{}; ///< as it was asked for, and as a number
    LinkSeen link{};
    std::vector<CheckStep> steps{};
    std::optional<IperfSeen> iperf{};

    CheckStep::State worst() const noexcept;
};

/// Stops at the first step that fails. Calls `each` with a step as soon as it is over.
CheckReport run_check(const CheckRequest &request, const IpAddress &peer,
                      const std::function<void(const CheckStep &)> &each);

} // namespace nmib::cli
