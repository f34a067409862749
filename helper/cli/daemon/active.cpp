// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/daemon/active.hpp"

#include "cli/daemon/properties.hpp"

namespace nmib::cli
{

std::optional<std::string> active_profile(const Daemon &daemon, const std::string &interface)
{
    const auto device = daemon.path_of_device(interface);
    if (!device) return std::nullopt;
    const auto about = Properties::of(daemon, *device, "org.freedesktop.NetworkManager.Device");
    const auto path = about ? about->object("ActiveConnection") : std::string();
    if (path.empty()) return std::nullopt;
    const auto active = Properties::of(daemon, path, "org.freedesktop.NetworkManager.Connection.Active");
    if (!active) return std::nullopt; // it has ended meanwhile
    return active->text("Uuid");
}

} // namespace nmib::cli
