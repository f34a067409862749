// SPDX-License-Identifier: LGPL-2.1-or-later
/// Changes of an interface, over rtnetlink and sysfs.
#pragma once
#include "core/ib/ifname.hpp"
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"
#include "probe/base/rtnl.hpp"
#include "probe/plan/sysfs.hpp"

namespace nmib
{

/// Writes the interface's `mode` file and reads it back. Never uses rtnetlink, where ipoib_set_mode can return without
/// the lock that its caller expects to hold. Error of kind `refused`: the interface still has another mode.
Result<void> set_mode(const Sysfs &sysfs, const IfName &link, int ifindex, TransportMode mode);
/// The same for an interface that is not in use yet. Some drivers accept a mode only while the interface is down. After
/// a refusal, takes an interface that is up down, writes again, and brings it up. This removes IPv6 addresses and
/// routes, and P_Key children lose their carrier.
Result<void> set_mode_before_use(const Sysfs &sysfs, Rtnl &rtnl, const IfName &link, int ifindex, TransportMode mode);

Result<void> set_up(Rtnl &rtnl, int ifindex, bool up);
/// Requests this MTU. The kernel may lower the value silently (ipoib_main.c, ipoib_change_mtu).
Result<void> set_mtu(Rtnl &rtnl, int ifindex, Mtu mtu);
/// Renames an interface and reads the name back. Linux before 6.2 refuses this while the interface is up.
Result<void> set_name(Rtnl &rtnl, int ifindex, const IfName &name);
/// Deletes a P_Key child, made by any program. Refuses a port's own interface: the kernel would silently ignore that.
Result<void> delete_child(Rtnl &rtnl, int ifindex);

struct GrantedMtu {
    Mtu mtu;              ///< in effect
    bool refused = false; ///< the kernel refused `at_most`
};
/// Requests `at_most`, or the next lower limit that the kernel accepts.
Result<GrantedMtu> raise_mtu(Rtnl &rtnl, int ifindex, Mtu at_most, TransportMode mode);

/// Keeps the IPv6 MTU of an interface through a change of its MTU, at which the kernel resets the IPv6 MTU
/// (net/ipv6/addrconf.c, NETDEV_CHANGEMTU) and NetworkManager does not set it again. The kernel also raises each route
/// whose MTU is the IPv6 MTU (route.c, rt6_mtu_change_route): meanwhile the IPv6 MTU is one that no route has. An IPv6
/// MTU that equals the interface's MTU follows the interface, unless a profile requests it.
class KeptIpv6Mtu
{
public:
    KeptIpv6Mtu() = default;
    /// @param proc /proc
    /// @param requested by a profile; 0: none
    KeptIpv6Mtu(const std::string &proc, const LinkRow &before, Mtu requested);
    /// Without IPv6 on the interface, or if nothing is to be kept, does nothing.
    Result<void> restore(Mtu now) const;

private:
    std::optional<Dir> conf_{};
    std::optional<Mtu> mtu_{};
};

} // namespace nmib
