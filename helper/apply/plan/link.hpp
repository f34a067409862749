// SPDX-License-Identifier: LGPL-2.1-or-later
/// Changes of an interface over rtnetlink.
#pragma once
#include "core/ib/mode.hpp"
#include "core/ib/mtu.hpp"
#include "probe/base/rtnl.hpp"

namespace nmib
{

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
