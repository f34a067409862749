// SPDX-License-Identifier: LGPL-2.1-or-later
/// Operands on this machine, for completion.
#pragma once
#include "terminal/request.hpp"

namespace nmib::cli
{

/// Ports and their interfaces; InfiniBand interfaces and profiles; GUIDs of ports; InfiniBand interfaces.
Operands port_operands, profile_operands, guid_operands, rail_operands;

/// Returns the InfiniBand interfaces, with P_Key children if `children`.
Words interface_names(bool children);

} // namespace nmib::cli
