// SPDX-License-Identifier: LGPL-2.1-or-later
/// Help, from the table of commands, and nmcli's.
#pragma once
#include "cli/base/command.hpp"

namespace nmib::cli
{

/// Of everything: ours, and nmcli's below it where nmcli is installed.
std::optional<Failure> print_help();
/// Of `connection add` or `connection modify`: nmcli's, and ours below it.
std::optional<Failure> print_help(const char *saving_verb);
/// Of an object, or of one of its commands.
std::optional<Failure> print_help(std::string_view object, const Command *only);
std::optional<Failure> print_version();

} // namespace nmib::cli
