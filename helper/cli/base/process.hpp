// SPDX-License-Identifier: LGPL-2.1-or-later
/// Programs of the system that nm-ib runs and waits for, or becomes.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

/// The end of a program.
struct ProgramRun {
    bool late = false; ///< it was killed because its time was over
    int code = -1;     ///< -1: ended by a signal
    int signal = 0;    ///< that one
    std::string out{}, err{};
};
/// Runs a program, by its absolute path and without a shell, with `input` as standard input, and waits for at most
/// `seconds`; 0: until it ends. In English it has the system's PATH, otherwise the environment as it is. An Error if it
/// cannot be run.
Result<ProgramRun> run_for(const Words &command, int seconds, const std::string &input = {}, bool in_english = true);
/// The same without a time limit. An Error, with the last line of its standard error, if it cannot be run or fails.
Result<void> run_program(const Words &command);
/// Replaces this process by a program, with `input`, if any, as standard input. Returns only if that fails: errno.
int become(const Words &command, const std::optional<std::string> &input);

/// Where a program is, by PATH; empty when it is not there.
std::string find_program(const std::string &name);

} // namespace nmib::cli
