// SPDX-License-Identifier: LGPL-2.1-or-later
/// The functions of the commands, of help and of completion.
#pragma once
#include "cli/base/command.hpp"
#include "cli/base/words.hpp"

namespace nmib::cli
{

struct Invocation {
    Args args; ///< after the verb
    Options options;
    Words words{};                      ///< all, as typed
    std::optional<std::string> input{}; ///< standard input, if read
};
using Verb = Status(Invocation &);

Verb add_connection, modify_connection, show_connection;

using OwnVerb = Status(const Request &);
OwnVerb plan_machine, apply_now, list_ports, show_port, monitor_port, diagnose_machine, check_peer;

/// Prints the line of a Nagios plugin (Monitoring Plugins Development Guidelines), with 0 OK, 1 WARNING, 2 CRITICAL, 3
/// UNKNOWN. `numbers`: its performance data.
Status print_nagios(int code, std::string text, const std::string &numbers = {});

/// Leaves the command to nmcli: a profile of another type, or a mistake. Only before anything is printed or changed.
Failure to_nmcli();

/// Runs the command line and returns the exit code. Does not return if nmcli takes over.
int run(int argc, char **argv);

/// Prints nmcli's and nm-ib's completions of the last word, for --complete-args. The exit code is as in nmcli.
int print_completion(const Words &words);

/// Prints nm-ib's help, and nmcli's below if nmcli is installed.
Status print_help();
/// Prints nmcli's help of `connection add` or `connection modify`, and nm-ib's additions below.
Status print_help(const char *saving_verb);
/// Prints the help of an object, or of a single command.
Status print_help(std::string_view object, const Command *only);
Status print_version();

// Operands on this machine, for completion.

using Operands = Words(const Words &before);
/// Ports and their interfaces; InfiniBand interfaces and profiles; GUIDs of ports.
Operands port_operands, profile_operands, guid_operands, rail_operands;
/// A port, then a name; a port or a name from nm-ib.
Operands name_set_operands, name_unset_operands;

Words interface_names(bool children);

} // namespace nmib::cli
