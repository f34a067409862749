// SPDX-License-Identifier: LGPL-2.1-or-later
/// How an inventory is shown: each of its values has one name, in capital letters for people.
#pragma once
#include "cli/base/json.hpp"
#include "cli/base/options.hpp"
#include "cli/port/inventory.hpp"

namespace nmib::cli
{

/// Everything about all.
Json json_of(const Inventory &all);

/// Why values are missing: each reason once.
using Reasons = std::set<std::string>;
/// Two tables, ports and interfaces; with -t or -f one, with a row for each interface.
Result<std::string> list_of(const Options &options, const Json &all, Reasons &reasons);
/// Everything about each port, a line for each value.
Result<std::string> details_of(const Options &options, const Json &all, Reasons &reasons);

/// A value for people: empty for null.
std::string text_of(const Json &value);
/// A value of a port or HCA: "?" where it could not be read.
std::string cell(const Json &object, const std::string &key, Reasons &reasons);

} // namespace nmib::cli
