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
/// After deactivation: later than NetworkManager's idle call, and not if a profile is active by then or, without a
/// carrier, waits to be.
void delete_if_left(NMDevice *device, int ifindex);
/// After NetworkManager believes to have deleted one whose key is without bit 15: before anything else comes in that
/// might want to make it again. Not for others: the kernel deletes those in a while, by a pointer that it keeps without
/// a reference (ipoib_vlan.c, ipoib_vlan_delete_task).
void delete_if_left_now(int ifindex);

/// Kernel and NetworkManager name the children of a parent with a long name differently: the kernel makes one,
/// NetworkManager does not find it, and the activation fails.
///
/// To be told of every device that is new to NetworkManager.
void seen(NMDevice *device);
/// And of every interface that is no more.
void gone(int ifindex);
/// The activation of a profile failed and its device never came to be. Deletes what came to be instead: a child that
/// was not there when NetworkManager last looked, under the name that the kernel makes of the long one.
void delete_if_misnamed(NMDevice *device);

} // namespace nmib
