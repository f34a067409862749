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

/// Requests `at_most`, or the next lower limit that the kernel accepts. Returns the resulting MTU.
Result<Mtu> raise_mtu(Rtnl &rtnl, int ifindex, Mtu at_most, TransportMode mode);

} // namespace nmib
