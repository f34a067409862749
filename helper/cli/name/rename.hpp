// SPDX-License-Identifier: LGPL-2.1-or-later
/// --now: a port's interface and the profiles that are bound to its name get another name together, or none does.
#pragma once
#include "cli/name/nm_device.hpp"
#include "cli/name/profile_rename.hpp"

namespace nmib::cli
{

class PortRename
{
public:
    /// Changes nothing. An Error where the rename is not safe. Safe: the interface and its P_Key children are down, or
    /// are up by stored profiles of NetworkManager, and so is the bond that the interface is a port of; and every
    /// profile that is bound to the old name can be stored. `daemon` and `move` must outlive it.
    static Result<PortRename> of(const Daemon &daemon, int ifindex, const IfName &to, ProfileMove &move,
                                 std::chrono::seconds wait);

    /// Takes down what is up, renames the port and its P_Key children, stores the profiles, and brings everything up.
    /// Ignores signals meanwhile: the session may run over this very interface. Returns notes for the user. After an
    /// Error all is as before, or its line says what is not.
    Result<Words> run();

private:
    PortRename(const Daemon &daemon, Rtnl rtnl, PortUpperdevs before, const IfName &to, ProfileMove &move,
               std::chrono::seconds wait);
    Result<std::vector<LinkRow>> children() { return children_of(rtnl_, before_.port.row.ifindex); }
    std::optional<std::string> danger();
    Result<void> change();
    Result<void> bring_down();
    Result<void> rename(const IfName &from, const IfName &to);
    Result<void> wait_for_names();
    Result<void> bring_up();
    Words take_back();

    const Daemon *daemon_;
    Rtnl rtnl_;
    PortUpperdevs before_;
    IfName from_, to_;
    ProfileMove *move_;
    std::chrono::seconds wait_; ///< for each profile to come up
};

} // namespace nmib::cli
