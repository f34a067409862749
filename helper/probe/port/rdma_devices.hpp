// SPDX-License-Identifier: LGPL-2.1-or-later
/// Every RDMA device of the machine, from sysfs and one dump of the interfaces.
#pragma once
#include "core/ib/rdma_device.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

#include <span>

namespace nmib
{

/// By name. What cannot be read of a device or a port has its reason; one that goes meanwhile is left out. Tables of
/// P_Keys and GIDs, which have a file for each entry, are not read, nor what the row of a port does not show.
Result<std::vector<RdmaDevice>> read_rdma_devices(const Dir &sysfs, std::span<const LinkRow> links);

/// The rest of one device: its PCI function, firmware, virtual functions.
void read_details(const Dir &sysfs, RdmaDevice &device);
/// The rest of one of its ports: capabilities, the tables of P_Keys and GIDs.
void read_details(const Dir &sysfs, const RdmaDevice &device, RdmaPort &port);

} // namespace nmib
