// SPDX-License-Identifier: LGPL-2.1-or-later
/// The commands, one a file.
#pragma once
#include "cli/pager.hpp"

namespace nmib::cli
{

/// `args` stand behind the verb. What a verb has learned before nmcli must go on: `input` was read from standard input,
/// `more` are words to be added to the command line.
struct Invocation {
    Args args;
    Options options;
    bool is_agent = false; ///< --ask stood before the verb, where it makes nmcli polkit's agent
    std::optional<std::string> input{};
    Words more{};
    Words said{};                 ///< to say() before the failure
    std::optional<Pager> pager{}; ///< through which everything goes, failures too
};
using Verb = std::optional<Failure>(Invocation &);

Verb add_connection, modify_connection, show_connection, plan_machine, apply_now, name_ports;

/// Says once what nmcli says before anything else when it cannot be polkit's agent. Not before the task is known to be
/// ours: nmcli would say it again.
void tell_of_no_agent(Invocation &in);

} // namespace nmib::cli
