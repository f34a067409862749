// SPDX-License-Identifier: GPL-2.0-or-later
/// P_Key children that NetworkManager leaves behind.
#pragma once
#include "activation.hpp"
#include "nm_device.hpp"

namespace nmib
{

/// NetworkManager deletes a child it made in an idle call after deactivation. That fails silently for a key without bit
/// 15 (it asks for the key as written, the kernel answers ENODEV, which is taken for success) and after a restart of
/// the daemon (it does not know the parent any more), and there is no deactivation where an activation ends before its
/// first stage. These look afterwards, and delete the same interface if it is left behind (core/plan/leftover).
///
/// On NMDevice::state-changed, with what is known of the activation before.
///
/// After deactivation: later than NetworkManager's idle call; without a carrier again when no activation waits for one.
/// After NetworkManager believes to have deleted a child whose key is without bit 15: before anything else comes in
/// that might want to make it again. Not for others: the kernel deletes those in a while, by a pointer that it keeps
/// without a reference (ipoib_vlan.c, ipoib_vlan_delete_task).
void look_for_leftovers(NMDevice *device, const Activation::Last &last, guint now, guint before, guint reason);

/// To be called with every device that is new to NetworkManager.
void seen(NMDevice *device);
/// And of every active connection that comes to its end. One that was queued until its carrier is there leaves no other
/// trace when it is dropped: a checkpoint that is rolled back deletes the profile, and the child stays.
///
/// Where the device never came to be, kernel and NetworkManager may name it differently, as they do with a long name of
/// the parent: the kernel makes a child, NetworkManager does not find it. Deletes what came to be instead: the child of
/// that activation, under the name that the kernel makes of the long one, if it was not there when NetworkManager last
/// looked.
void activation_ended(NMDevice *device);

} // namespace nmib
