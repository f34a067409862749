// SPDX-License-Identifier: LGPL-2.1-or-later
/// The commands, one a file.
#pragma once
#include "cli/options.hpp"

namespace nmib::cli
{

/// `args` stand behind the verb. `input` receives what a verb read from standard input, in case nmcli must read it
/// again.
struct Invocation {
    Args args;
    Options options;
    std::optional<std::string> input{};
};
using Verb = std::optional<Failure>(Invocation &);

Verb add_connection, modify_connection, show_connection, plan_machine, apply_now;

} // namespace nmib::cli
