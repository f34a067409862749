// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

namespace nmib::cli
{
/// The whole command; its exit code. Does not return when nmcli takes over.
int run(int argc, char **argv);
} // namespace nmib::cli
