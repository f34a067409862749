// SPDX-License-Identifier: LGPL-2.1-or-later
/// P_Key children that NetworkManager made and does not remove: after a restart of the daemon, and for keys without the
/// membership bit (it asks the kernel to delete the key as written, which is not the key there is).
#pragma once
#include "apply/state.hpp"
#include "probe/probe.hpp"

namespace nmib
{

struct LeftoverPaths {
    std::string sysfs = "/sys";
    std::string state = "/run/nm-infiniband";
    std::string devices = "/run/NetworkManager/devices";
    int patience_ms = 2000; ///< how long a child is watched before it is removed
    int without_carrier_ms =
        10000; ///< the same where an activation may be waiting for the carrier (for 6 s, nm-device.c)
};

/// On `up`: remembers that this child was made by a profile, if NetworkManager's own note says so, and how often its
/// carrier had changed by then. Only such a one is ever removed.
Result<void> remember_child(const LinkRow &child, const LeftoverPaths &paths);

/// On `down`: removes the child if it was remembered, is the same interface still and no profile is active on it. True
/// when it did. The event may come late, or belong to a profile that is brought up again: NetworkManager then uses the
/// same interface. It takes every interface down and up when it activates it and not when it deactivates it, so the
/// carrier tells: one that has changed since `up`, or does while it is watched, is left alone. (After a flap of the
/// link that leaves a child behind; the other way a profile would lose its interface.)
Result<bool> remove_leftover(Rtnl &rtnl, const LinkRow &child, const LeftoverPaths &paths);

} // namespace nmib
