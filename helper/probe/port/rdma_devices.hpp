// SPDX-License-Identifier: LGPL-2.1-or-later
/// All RDMA devices of the machine, from sysfs and one dump of the interfaces.
#pragma once
#include "core/ib/rdma_device.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

#include <span>

namespace nmib
{

/// Returns the devices sorted by name, without those that vanish meanwhile. An unreadable value has its reason. Does
/// not read the tables of P_Keys and GIDs, which have a file per entry, nor other details.
Result<std::vector<RdmaDevice>> read_rdma_devices(const Dir &sysfs, std::span<const LinkRow> links);

/// Returns true for a function that manages NVSwitches (RdmaDevice::is_fabric_managed). Error: only root can see this.
Result<bool> manages_fabric(const Dir &sysfs, const std::string &device);
/// Reads a device's PCI function, firmware and virtual functions.
void read_details(const Dir &sysfs, RdmaDevice &device);
/// Reads a port's capabilities, and its tables of P_Keys and GIDs.
void read_details(const Dir &sysfs, const RdmaDevice &device, RdmaPort &port);
/// Reads a port's error counters, after its device's details. Each is a request to the card. "N/A (no PMA)" is no
/// number: the port does not count. None of functions that manage NVSwitches: their driver logs an error for each.
void read_counters(const Dir &sysfs, const RdmaDevice &device, RdmaPort &port);

} // namespace nmib
