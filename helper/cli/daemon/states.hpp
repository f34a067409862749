// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "cli/daemon/bus.hpp"
#include "cli/daemon/daemon.hpp"

#include <initializer_list>
#include <map>
#include <string>

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

/// What systemd says of the units that it has with these names (with "*"): "active", "inactive", "failed" ... Empty
/// with another init.
std::map<std::string, std::string> unit_states(const Bus &bus, std::initializer_list<const char *> patterns);

} // namespace nmib::cli
