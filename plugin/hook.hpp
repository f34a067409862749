// SPDX-License-Identifier: GPL-2.0-or-later
/// Where NetworkManager calls us.
#pragma once
#include "abi.hpp"

namespace nmib
{

/// Listens to state changes of all devices, for as long as the daemon lives, and picks the InfiniBand ones. False when
/// GLib does not let it.
bool install_hooks(const abi::Daemon &daemon);

} // namespace nmib
