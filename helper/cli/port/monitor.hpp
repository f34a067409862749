// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// Prints a line for each change of these ports and interfaces, or of all, until a signal ends it.
std::optional<Failure> monitor_ports(const Words &which, bool as_json);

} // namespace nmib::cli
