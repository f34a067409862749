// SPDX-License-Identifier: LGPL-2.1-or-later
/// The numbers of routing tables and of rules in use.
#pragma once
#include "core/base/result.hpp"

#include <cstdint>
#include <set>

namespace nmib
{

/// Returns the tables of all routes and rules of the kernel, and the priorities of its rules.
Result<std::set<std::uint32_t>> read_routing_numbers();

} // namespace nmib
