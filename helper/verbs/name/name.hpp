// SPDX-License-Identifier: LGPL-2.1-or-later
/// The verbs of `nm-ib name`, and their operands.
#pragma once
#include "verbs/name/request.hpp"

namespace nmib::cli
{

using NameVerb = Status(const NameRequest &);
NameVerb list_names, set_name, unset_name, check_names, propose_names_verb, import_names;

/// For completion: a port, then a name; a port or a name from nm-ib.
Operands name_set_operands, name_unset_operands;

} // namespace nmib::cli
