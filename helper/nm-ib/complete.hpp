// SPDX-License-Identifier: LGPL-2.1-or-later
/// Completes the last word of a command line for the shell.
#pragma once
#include "terminal/words.hpp"

namespace nmib::cli
{

/// Prints nmcli's and nm-ib's completions of the last word, for --complete-args. The exit code is as in nmcli.
int print_completion(const Words &words);

} // namespace nmib::cli
