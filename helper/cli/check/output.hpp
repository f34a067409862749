// SPDX-License-Identifier: LGPL-2.1-or-later
/// What ping and iperf3 print, taken apart.
#pragma once
#include "core/base/result.hpp"
#include "core/check/step.hpp"

#include <string_view>

namespace nmib::cli
{

/// Of iputils, in English. What is no number where one belongs is left out.
PingSeen parse_ping(std::string_view out, std::string_view err);

/// Of `iperf3 -J`. An Error, in iperf3's own words if there are any, when nothing was measured.
Result<IperfSeen> parse_iperf(std::string_view out);

} // namespace nmib::cli
