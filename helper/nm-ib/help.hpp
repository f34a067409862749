// SPDX-License-Identifier: LGPL-2.1-or-later
/// The help of nm-ib, and nmcli's beside it.
#pragma once
#include "nm-ib/command.hpp"

namespace nmib::cli
{

/// Prints nm-ib's help, and nmcli's below if nmcli is installed.
Status print_help();
/// Prints nmcli's help of `connection add` or `connection modify`, and nm-ib's additions below.
Status print_help(const char *saving_verb);
/// Prints the help of an object, or of a single command.
Status print_help(std::string_view object, const Command *only);
Status print_version();

} // namespace nmib::cli
