// SPDX-License-Identifier: LGPL-2.1-or-later
/// Runs the installed nmcli, which does everything outside of InfiniBand.
#pragma once
#include "terminal/options.hpp"
#include "terminal/process.hpp"

namespace nmib::cli
{

/// Returns the path of nmcli; null if not installed. Ignores PATH: an nmcli there may be nm-ib.
const char *find_nmcli();

Failure no_nmcli();
/// Replaces this process by nmcli. `input`: standard input, if already read. Returns only on failure.
Failure become_nmcli(const Words &words, const std::optional<std::string> &input = {});

/// Runs nmcli for at most ten seconds. Failure: nmcli cannot run, runs longer, or ends by a signal.
Result<ProgramRun, Failure> run_nmcli(const Words &words, const std::string &input = {});

/// A command of nmcli's grammar, which nm-ib runs itself or leaves to nmcli.
struct Invocation {
    Args args; ///< after the verb
    Options options;
    Words words{};                      ///< all, as typed
    std::optional<std::string> input{}; ///< standard input, if read
};
using Verb = Status(Invocation &);

constexpr int left_to_nmcli = -1; ///< the code of the Failure that to_nmcli() returns
/// Leaves the command to nmcli: a profile of another type, or a mistake. Only before anything is printed or changed.
Failure to_nmcli();

} // namespace nmib::cli
