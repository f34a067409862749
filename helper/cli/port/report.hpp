// SPDX-License-Identifier: LGPL-2.1-or-later
/// How an inventory is shown.
#pragma once
#include "cli/base/json.hpp"
#include "cli/base/options.hpp"
#include "cli/port/inventory.hpp"

namespace nmib::cli
{

/// Two tables, ports and interfaces; with -t or -f one, with a row for each interface.
Result<std::string> list_of(const Options &options, const Inventory &all, Reasons &reasons);
/// Everything about each port, a line for each value.
Result<std::string> details_of(const Options &options, const Inventory &all, Reasons &reasons);
/// Everything about all, for machines.
Json json_of(const Inventory &all);

} // namespace nmib::cli
