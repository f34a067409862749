// SPDX-License-Identifier: LGPL-2.1-or-later
/// The NetworkManager device of an interface: its active connection, and how to deactivate and reactivate it.
#pragma once
#include "cli/daemon/daemon.hpp"
#include "core/ib/ifname.hpp"
#include "probe/base/rtnl.hpp"

#include <chrono>

namespace nmib::cli
{

struct NmDevice {
    std::string path{}; ///< D-Bus object; empty where NetworkManager has none for the interface, or does not manage it
    std::string active{};  ///< the active connection's; empty: nothing is active
    std::string profile{}; ///< of what is active
    std::string id{};      ///< the profile's name, for people
    bool settled = false;  ///< it is all up, not on its way
    /// True if the profile is stored and can be activated again.
    bool stored = false;
};

NmDevice nm_device_of(const Daemon &daemon, const IfName &interface);

/// Deactivates a device and waits for that. NetworkManager activates nothing on it before a user does.
Result<void> disconnect(const Daemon &daemon, const std::string &device);
/// Brings a profile up and waits until it is, except for a limit of 0. `device` may be empty for one that makes its
/// own.
Result<void> activate(const Daemon &daemon, const NmDevice &what, const std::string &device,
                      std::chrono::seconds limit);
/// Waits until NetworkManager knows the device by this name.
Result<void> wait_for_name(const Daemon &daemon, const std::string &device, const IfName &name);
/// What is active on a device follows its profile, as far as that is possible at once.
Result<void> reapply(const Daemon &daemon, const std::string &device);

/// Asks again and again; false when it did not come true in this time.
bool wait_until(std::chrono::milliseconds limit, const std::function<bool()> &is_true);

// A port's interface, its P_Key children and its upper devices, as they are before the name changes.

/// The P_Key children of a port's interface that are there now.
Result<std::vector<LinkRow>> children_of(Rtnl &rtnl, int ifindex);

struct PortUpperdevs {
    struct Interface {
        LinkRow row;
        NmDevice device{};
        bool of_partition = false; ///< the active profile has a P_Key; read for children alone
        std::string name() const;  ///< for people
    };
    Interface port;
    std::vector<Interface> children{};
    std::vector<Interface> uppers{}; ///< what the port's interface is a port of: a bond

    static Result<PortUpperdevs> of(Rtnl &rtnl, const Daemon &daemon, const LinkRow &port);
    /// Why NetworkManager could not take all of it down and bring it up again, in one line; nothing if it could.
    std::optional<std::string> danger() const;
};

} // namespace nmib::cli
