// SPDX-License-Identifier: LGPL-2.1-or-later
/// The commands, one a file.
#pragma once
#include "cli/base/options.hpp"

namespace nmib::cli
{

struct Invocation {
    Args args; ///< behind the verb
    Options options;
    Words words{};                      ///< all, as typed
    std::optional<std::string> input{}; ///< what was read from standard input
};
using Verb = std::optional<Failure>(Invocation &);

Verb add_connection, modify_connection, show_connection, plan_machine, apply_now, name_ports, show_ports,
    diagnose_machine, check_peer, set_host;

/// It is nmcli's: a profile of another type, or a mistake that it tells best. Nothing was printed or changed.
Failure to_nmcli();

} // namespace nmib::cli
