// SPDX-License-Identifier: LGPL-2.1-or-later
/// What ping and iperf3 print, taken apart.
#pragma once
#include "core/check/seen.hpp"
#include "core/result.hpp"

#include <string_view>

namespace nmib::cli
{

/// Of iputils, in English. What is no number where one belongs is left out.
PingSeen parse_ping(std::string_view out, std::string_view err);

/// Of `iperf3 -J`. An Error of kind `absent` when no server answered, `refused` when it is busy with somebody else,
/// `io` for all else that iperf3 complains of, `invalid` when that is no report.
Result<IperfSeen> parse_iperf(std::string_view out);

} // namespace nmib::cli
