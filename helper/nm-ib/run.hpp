// SPDX-License-Identifier: LGPL-2.1-or-later
/// Chooses between nm-ib's own commands and nmcli.
#pragma once

namespace nmib::cli
{

/// Runs the command line and returns the exit code. Does not return if nmcli takes over.
int run(int argc, char **argv);

} // namespace nmib::cli
