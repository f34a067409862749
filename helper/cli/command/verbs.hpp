// SPDX-License-Identifier: LGPL-2.1-or-later
/// The commands, one a file.
#pragma once
#include "cli/base/command.hpp"

namespace nmib::cli
{

struct Invocation {
    Args args; ///< behind the verb
    Options options;
    Words words{};                      ///< all, as typed
    std::optional<std::string> input{}; ///< what was read from standard input
};
using Verb = std::optional<Failure>(Invocation &);

Verb add_connection, modify_connection, show_connection;

using OwnVerb = std::optional<Failure>(const Request &);
OwnVerb plan_machine, apply_now, list_ports, show_port, monitor_port, diagnose_machine, check_peer;

/// It is nmcli's: a profile of another type, or a mistake that it tells best. Nothing was printed or changed.
Failure to_nmcli();

} // namespace nmib::cli
