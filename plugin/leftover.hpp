// SPDX-License-Identifier: GPL-2.0-or-later
/// P_Key children that NetworkManager leaves behind.
#pragma once
#include "bridge.hpp"

namespace nmib
{

/// NetworkManager deletes a child it made in an idle call after deactivation. That fails silently for a key without bit
/// 15 (it asks for the key as written, the kernel answers ENODEV, which is taken for success) and after a restart of
/// the daemon (it does not know the parent any more). These look afterwards, and delete the same interface if it is
/// still there and NetworkManager's own note says that a profile made it.
///
/// After deactivation: later than NetworkManager's idle call, and not if a profile is active by then.
void delete_if_left(NMDevice *device, int ifindex);
/// After NetworkManager believes to have deleted it: before anything else comes in that might want to make it again.
void delete_if_left_now(int ifindex);

/// A device that is new to NetworkManager: says so when it is a child that cannot be made, or what a failed creation
/// left. Kernel and NetworkManager name the children of a parent with a long name differently.
void report_cut_name(NMDevice *device);

} // namespace nmib
