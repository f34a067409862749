// SPDX-License-Identifier: GPL-2.0-or-later
/// An Activation attached to a device of NetworkManager.
#pragma once
#include "abi.hpp"
#include "activation.hpp"

namespace nmib
{

/// The one of a device; made when first asked for, gone with the device.
Activation &activation_of(NMDevice *device);

} // namespace nmib
