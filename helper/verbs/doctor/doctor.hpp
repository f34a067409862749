// SPDX-License-Identifier: LGPL-2.1-or-later
/// `nm-ib doctor`: prints the findings, and fixes them.
#pragma once
#include "core/doctor/diagnose.hpp"
#include "terminal/json_fwd.hpp"
#include "terminal/request.hpp"

namespace nmib::cli
{

/// For people: each finding with its reason, remedy and consequences.
std::string text_of(std::span<const Trouble> all, bool coloured);
Json json_of(std::span<const Trouble> all);
/// Returns the exit status for the worst finding, which is the first; success if healthy.
Status outcome(std::span<const Trouble> all);

/// Prints the commands for the findings with these ids (empty: all), asks, and runs them. Returns true if commands ran.
Result<bool, Failure> mend(std::span<const Trouble> all, const Words &ids, bool yes);

/// Prints the line of a Nagios plugin (Monitoring Plugins Development Guidelines), with 0 OK, 1 WARNING, 2 CRITICAL, 3
/// UNKNOWN. `numbers`: its performance data.
Status print_nagios(int code, std::string text, const std::string &numbers = {});

OwnVerb diagnose_machine;

} // namespace nmib::cli
