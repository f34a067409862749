// SPDX-License-Identifier: LGPL-2.1-or-later
/// Programs of the system that nm-ib runs and waits for.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// Runs a program, by its absolute path, without a shell; what it prints is not shown. An Error with the last line it
/// said when it cannot be run or fails.
Result<void> run_program(const Words &command);

} // namespace nmib::cli
