// SPDX-License-Identifier: LGPL-2.1-or-later
/// Parses the output of ping and iperf3.
#pragma once
#include "core/base/result.hpp"
#include "core/check/step.hpp"

#include <string_view>

namespace nmib::cli
{

/// `out`, `err`: of iputils' ping, in English. Ignores invalid numbers.
PingSeen parse_ping(std::string_view out, std::string_view err);

/// `out`: of `iperf3 -J`. An Error if nothing was measured, with iperf3's own message if there is one.
Result<IperfSeen> parse_iperf(std::string_view out);

} // namespace nmib::cli
