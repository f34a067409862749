// SPDX-License-Identifier: LGPL-2.1-or-later
/// How a check is shown.
#pragma once
#include "cli/base/json.hpp"
#include "cli/base/options.hpp"
#include "cli/check/run.hpp"

namespace nmib::cli
{

/// For people, a row with what mends it below.
std::string text_of(const CheckStep &step);
/// With -t, -f or -m: a row for each step.
Result<std::string> table_of(const Options &options, const CheckReport &report);
Json json_of(const CheckReport &report);

} // namespace nmib::cli
