// SPDX-License-Identifier: LGPL-2.1-or-later
/// The transport mode, through sysfs.
#pragma once
#include "core/ib/ifname.hpp"
#include "core/ib/mode.hpp"
#include "probe/base/rtnl.hpp"
#include "probe/plan/sysfs.hpp"

namespace nmib
{

/// Writes the interface's `mode` file and reads back what the kernel made of it. Never rtnetlink: there ipoib_set_mode
/// can return without the lock its caller believes to hold. An Error of kind `refused` when the mode is still another
/// one.
Result<void> set_mode(const Sysfs &sysfs, const IfName &link, int ifindex, TransportMode mode);
/// Likewise, on an interface that nobody uses yet. Some drivers want it down: when the write is refused on one that is
/// up, it is taken down, written to once more and brought up again. That costs IPv6 addresses and routes, and P_Key
/// children their carrier.
Result<void> set_mode_before_use(const Sysfs &sysfs, Rtnl &rtnl, const IfName &link, int ifindex, TransportMode mode);

} // namespace nmib
