// SPDX-License-Identifier: LGPL-2.1-or-later
/// --now: renames a port's interface and the profiles that are bound to its name: all, or none.
#pragma once
#include "nm/nm_device.hpp"
#include "verbs/name/profile_rename.hpp"

namespace nmib::cli
{

class PortRename
{
public:
    /// Changes nothing. An Error if the rename is not safe. Safe: the interface and its P_Key children are down, or
    /// active with stored profiles of NetworkManager. A bond of the interface is active with a stored profile. Every
    /// profile that is bound to the old name can be stored. `daemon` and `move` must outlive this object.
    static Result<PortRename> of(const Daemon &daemon, int ifindex, const IfName &to, ProfileMove &move,
                                 std::chrono::seconds wait);

    /// Deactivates the interfaces, renames the port and its P_Key children, stores the profiles, and reactivates.
    /// Ignores signals meanwhile: the user's session may run over this interface. Returns notes for the user. After an
    /// Error all is as before, or the Error lists the changes that remain.
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
    std::chrono::seconds wait_; ///< for the activation of each profile
};

} // namespace nmib::cli
