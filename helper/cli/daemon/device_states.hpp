// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "cli/daemon/daemon.hpp"

#include <map>

namespace nmib::cli
{

/// What NetworkManager says of a device.
struct DeviceState {
    unsigned number = 0;           ///< NMDeviceState
    std::string word{};            ///< nmcli's word for it, e.g. "connected"
    std::string profile{}, uuid{}; ///< that is active, or on its way there; empty without one
};

/// By interface; those that NetworkManager has no device for are left out.
std::map<std::string, DeviceState> ask_device_states(const Daemon &daemon, const Words &interfaces);

} // namespace nmib::cli
