// SPDX-License-Identifier: LGPL-2.1-or-later
/// Reads the profiles for `nm-ib doctor`.
#pragma once
#include "core/doctor/diagnose.hpp"
#include "verbs/port/inventory.hpp"

namespace nmib::cli
{

/// Reads the profiles of type infiniband, and other profiles for the interfaces of RDMA ports.
std::vector<ProfileState> look_at_profiles(const Daemon &daemon, const Inventory &all);

} // namespace nmib::cli
