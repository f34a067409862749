// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the settings of the machine have to know of its cards.
#pragma once
#include "core/host/modules.hpp"
#include "core/inventory/rdma_device.hpp"

namespace nmib::cli
{

/// All devices, with details of their ports.
Result<std::vector<RdmaDevice>> look_at_devices();
Result<RdmaHardware> look_at_hardware();

} // namespace nmib::cli
