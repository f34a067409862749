// SPDX-License-Identifier: LGPL-2.1-or-later
/// The commands, one a file.
#pragma once
#include "cli/base/command.hpp"
#include "cli/base/words.hpp"

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

/// Hands the command over to nmcli: a profile of another type, or a mistake that nmcli reports best. Nothing was
/// printed or changed.
Failure to_nmcli();

/// The whole command; its exit code. Does not return when nmcli takes over.
int run(int argc, char **argv);

// nm-ib --complete-args WORD...: what the last word can become: nmcli's answer, and ours.

/// `words` are those behind --complete-args. The exit code is nmcli's.
int print_completion(const Words &words);

// Help, from the table of commands, and nmcli's.

/// Of everything: ours, and nmcli's below it where nmcli is installed.
std::optional<Failure> print_help();
/// Of `connection add` or `connection modify`: nmcli's, and ours below it.
std::optional<Failure> print_help(const char *saving_verb);
/// Of an object, or of one of its commands.
std::optional<Failure> print_help(std::string_view object, const Command *only);
std::optional<Failure> print_version();

// What on this machine a word of a command can be, for completion.

using Operands = Words(const Words &before);
/// Ports and interfaces; InfiniBand interfaces and the profiles for them; ports by GUID.
Operands port_operands, profile_operands, guid_operands;
/// A port and its name; a port or a name that nm-ib gave.
Operands name_set_operands, name_unset_operands;

/// InfiniBand interfaces; those of P_Key children only where asked for.
Words interface_names(bool children);

} // namespace nmib::cli
