// SPDX-License-Identifier: LGPL-2.1-or-later
/// Programs of the system that nm-ib runs and waits for.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// Runs a program, by its absolute path, without a shell; what it prints is not shown. An Error with the last line it
/// said when it cannot be run or fails.
Result<void> run_program(const Words &command);

/// Where a program is, by PATH; empty when it is not there.
std::string find_program(const std::string &name);

/// What a program that ran came to.
struct ProgramRun {
    bool late = false; ///< it was ended because its time was over
    int code = -1;     ///< -1: ended by a signal
    std::string out{}, err{};
};
/// Runs a program, by its path, in English and with nothing to read, and waits for at most `seconds`. An Error when it
/// cannot be run.
Result<ProgramRun> run_for(const Words &command, int seconds);

} // namespace nmib::cli
