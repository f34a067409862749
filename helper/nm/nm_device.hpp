// SPDX-License-Identifier: LGPL-2.1-or-later
/// The NetworkManager device of an interface: its active connection, and how to deactivate and reactivate it.
#pragma once
#include "core/ib/ifname.hpp"
#include "nm/daemon.hpp"
#include "probe/base/rtnl.hpp"

#include <chrono>
#include <functional>

namespace nmib::cli
{

/// What D-Bus shows of the device. The plugin, inside NetworkManager, has an NmDevice of its own.
struct NmDevice {
    std::string path{};     ///< D-Bus object; empty if NetworkManager has no device or does not manage it
    std::string active{};   ///< D-Bus object of the active connection; empty: none
    std::string profile{};  ///< D-Bus object of the active connection's profile
    std::string id{};       ///< name of the profile
    bool activated = false; ///< fully activated
    /// True if the profile is stored and can be activated again.
    bool stored = false;
};

NmDevice nm_device_of(const Daemon &daemon, const IfName &interface);

/// Deactivates a device and waits, at most 60 seconds. NetworkManager then activates nothing until a user does.
Result<void> disconnect(const Daemon &daemon, const std::string &device);
/// Activates a profile and waits until it is active; a limit of 0: does not wait. `device` is empty for a profile that
/// creates its device.
Result<void> activate(const Daemon &daemon, const NmDevice &what, const std::string &device,
                      std::chrono::seconds limit);
/// Waits until NetworkManager has read the name of the device, at most 20 seconds.
Result<void> wait_for_name(const Daemon &daemon, const std::string &device, const IfName &name);
/// Applies a changed profile to its active device. An Error if NetworkManager cannot do so without a new activation.
Result<void> reapply(const Daemon &daemon, const std::string &device);
/// Changes the applied profile of an active device. Changes of the stored profile stay unapplied.
Result<void> reapply(const Daemon &daemon, const std::string &device,
                     const std::function<void(NMConnection *applied)> &change);

/// Polls `is_true` every 50 ms. Returns false after `limit`.
bool wait_until(std::chrono::milliseconds limit, const std::function<bool()> &is_true);

/// Reads the P_Key children of an interface.
Result<std::vector<LinkRow>> children_of(Rtnl &rtnl, int ifindex);

/// A port's interface, its P_Key children and its upper devices, before the rename.
struct PortUpperdevs {
    struct Interface {
        LinkRow row;
        NmDevice device{};
        bool of_partition = false; ///< the active profile has a P_Key; read only for children
        std::string name() const;  ///< printable
    };
    Interface port;
    std::vector<Interface> children{};
    std::vector<Interface> uppers{}; ///< bonds that have the interface as a port

    static Result<PortUpperdevs> of(Rtnl &rtnl, const Daemon &daemon, const LinkRow &port);
    /// Returns why NetworkManager could not deactivate and reactivate all of them, in one line; nullopt if it could.
    std::optional<std::string> danger() const;
};

} // namespace nmib::cli
