// SPDX-License-Identifier: LGPL-2.1-or-later
/// What on this machine a word of a command can be, for completion.
#pragma once
#include "cli/base/words.hpp"

namespace nmib::cli
{

using Operands = Words(const Words &before);
/// Ports and interfaces; InfiniBand interfaces and the profiles for them; ports by GUID.
Operands port_operands, profile_operands, guid_operands;
/// A port and its name; a port or a name that nm-ib gave.
Operands name_set_operands, name_unset_operands;

/// InfiniBand interfaces; those of P_Key children only where asked for.
Words interface_names(bool children);

} // namespace nmib::cli
