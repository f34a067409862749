// SPDX-License-Identifier: LGPL-2.1-or-later
/// P_Key children that NetworkManager made and does not remove: after a restart of the daemon, and for keys without the
/// membership bit (it asks the kernel to delete the key as written, which is not the key there is).
#pragma once
#include "apply/file.hpp"
#include "probe/probe.hpp"

namespace nmib
{

struct LeftoverPaths {
    std::string state = "/run/nm-infiniband";
    std::string devices = "/run/NetworkManager/devices";
};

/// On `up`: remembers that this child was made by a profile, if NetworkManager's own note says so. Only such a one is
/// ever removed.
Result<void> remember_child(const LinkRow &child, const LeftoverPaths &paths);

/// On `down`: removes the child if it was remembered, is the same interface still and no profile is active on it. True
/// when it did.
Result<bool> remove_leftover(Rtnl &rtnl, const LinkRow &child, const LeftoverPaths &paths);

} // namespace nmib
