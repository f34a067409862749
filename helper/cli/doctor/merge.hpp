// SPDX-License-Identifier: LGPL-2.1-or-later
/// doctor --merge FILE... [--json]
#pragma once
#include "cli/base/options.hpp"

namespace nmib::cli
{

/// Reads what many hosts told of themselves, and tells what is wrong between them. `args`: behind the verb.
std::optional<Failure> merge_hosts(Args &args);

} // namespace nmib::cli
