// SPDX-License-Identifier: GPL-2.0-or-later
/// The hooks through which NetworkManager calls the plugin.
#pragma once
#include "abi.hpp"

namespace nmib
{

/// Installs the hooks until the daemon ends. Returns false if GLib refuses the hook on NMDevice::state-changed.
bool install_hooks(const abi::Daemon &daemon);

} // namespace nmib
