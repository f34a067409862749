// SPDX-License-Identifier: LGPL-2.1-or-later
/// Runs programs of the system, or replaces nm-ib by a program.
#pragma once
#include "terminal/words.hpp"

namespace nmib::cli
{

struct ProgramRun {
    bool late = false; ///< killed at the time limit
    int code = -1;     ///< -1: ended by a signal
    int signal = 0;
    std::string out{}, err{};
};
/// Runs a program by its absolute path, without a shell, with `input` as standard input. Waits at most `seconds`; 0: no
/// limit. `in_english`: also with the system's PATH; otherwise the environment is unchanged. Error: cannot run.
Result<ProgramRun> run_for(const Words &command, int seconds, const std::string &input = {}, bool in_english = true);
/// The same without a time limit. Error, with the last line of standard error: cannot run, or failed.
Result<void> run_program(const Words &command);
/// Replaces this process by a program, with `input`, if any, as standard input. Returns only on failure: errno.
int become(const Words &command, const std::optional<std::string> &input);

/// Returns the path of a program in PATH; empty if not found.
std::string find_program(const std::string &name);
/// The same in the system's PATH, which a user's PATH may lack.
std::string find_system_program(const std::string &name);

} // namespace nmib::cli
