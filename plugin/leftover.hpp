// SPDX-License-Identifier: GPL-2.0-or-later
/// Removes P_Key children that NetworkManager leaves behind.
#pragma once
#include "activation.hpp"
#include "nm_device.hpp"

namespace nmib
{

/// Until this call nothing is removed: the daemon must show whether a child is in use.
void allow_removal() noexcept;

/// Handles NMDevice::state-changed; `last` is the activation before. NetworkManager deletes a child that it made in an
/// idle call after deactivation. In these cases the child stays:
///   - The key is without bit 15: NetworkManager gives the kernel the key as written, and takes ENODEV for success.
///   - The daemon was restarted: it does not know the parent any more.
///   - The activation ends before its first stage: there is no deactivation.
/// The functions here check later, and delete the same interface if it is left behind (core/plan/leftover).
///
/// The check runs after NetworkManager's idle call. A child without a carrier is checked again when no activation waits
/// for the carrier. If the key is without bit 15, the check runs before another event can make the child again. Not for
/// other keys: the kernel deletes their children later, by a pointer without a reference (ipoib_vlan_delete_task).
void check_for_leftovers(NMDevice *device, const Activation::Last &last, guint now, guint before, guint reason);

/// Call for every device that is new to NetworkManager.
void remember_device(NMDevice *device);
/// Call for every active connection that ends. An activation that was queued for a carrier leaves no other trace when
/// it is dropped: the rollback of a checkpoint deletes the profile, and the child stays.
///
/// If the parent's name is long, the kernel and NetworkManager name the child differently, and NetworkManager makes no
/// device. Then deletes the child under the kernel's name, if the child is new since NetworkManager last looked.
/// @param reason NMActiveConnectionStateReason
void activation_ended(NMDevice *device, const Activation::Last &last, guint reason);

} // namespace nmib
