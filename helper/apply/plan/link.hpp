// SPDX-License-Identifier: LGPL-2.1-or-later
/// Changes of an interface over rtnetlink.
#pragma once
#include "core/ib/ifname.hpp"
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"
#include "probe/base/rtnl.hpp"
#include "probe/plan/sysfs.hpp"

namespace nmib
{

// The transport mode, through sysfs.

/// Writes the interface's `mode` file and reads back what the kernel made of it. Never rtnetlink: there ipoib_set_mode
/// can return without the lock its caller believes to hold. An Error of kind `refused` when the mode is still another
/// one.
Result<void> set_mode(const Sysfs &sysfs, const IfName &link, int ifindex, TransportMode mode);
/// Likewise, on an interface that is not in use yet. Some drivers want it down: when the write is refused on one that
/// is up, it is taken down, written to once more and brought up again. That costs IPv6 addresses and routes, and P_Key
/// children their carrier.
Result<void> set_mode_before_use(const Sysfs &sysfs, Rtnl &rtnl, const IfName &link, int ifindex, TransportMode mode);

Result<void> set_up(Rtnl &rtnl, int ifindex, bool up);
/// Exactly this MTU, as far as the kernel sees it; it may lower the value silently (ipoib_main.c, ipoib_change_mtu).
Result<void> set_mtu(Rtnl &rtnl, int ifindex, Mtu mtu);
/// Gives an interface another name, and looks whether it has it. Linux before 6.2 refuses it while the interface is up.
Result<void> set_name(Rtnl &rtnl, int ifindex, const IfName &name);
/// Deletes a P_Key child, however it was made. The kernel takes this for a port's own interface as a silent no-op, so
/// that is refused here.
Result<void> delete_child(Rtnl &rtnl, int ifindex);

/// Asks for `at_most`, or the highest limit below that the kernel takes; the MTU that came of it.
Result<Mtu> raise_mtu(Rtnl &rtnl, int ifindex, Mtu at_most, TransportMode mode);

} // namespace nmib
