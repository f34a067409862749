// SPDX-License-Identifier: LGPL-2.1-or-later
/// A port's interface, its P_Key children and its upper devices, as they are before the name changes.
#pragma once
#include "cli/name/nm_device.hpp"
#include "probe/base/rtnl.hpp"

namespace nmib::cli
{

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
