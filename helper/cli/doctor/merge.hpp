// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// Reads what many hosts told of themselves, and tells what is wrong between them.
std::optional<Failure> merge_hosts(const Words &files, bool as_json);

} // namespace nmib::cli
