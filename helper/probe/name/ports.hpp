// SPDX-License-Identifier: LGPL-2.1-or-later
/// The InfiniBand ports of a machine, and udev's properties of their interfaces.
#pragma once
#include "core/base/result.hpp"
#include "core/name/naming_world.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

namespace nmib
{

/// Returns the names of all interfaces.
Result<std::vector<InterfaceNames>> read_names(Rtnl &rtnl);

/// Returns all InfiniBand ports below `sysfs`, sorted by PCI address, HCA and number, without values that cannot be
/// read. `udev_data` is /run/udev/data. Without udev's file, an interface has only ID_IPOIB_ADDRESS and
/// ID_IPOIB_DEV_PORT, with the values that the udev rule in data/udev sets.
Result<std::vector<PortIdentity>> read_ports(const Dir &sysfs, const std::string &udev_data,
                                             std::span<const InterfaceNames> names);

/// Fills `devices` and `has_rdma_rename` of a world that has its `ports`: the RDMA devices of these ports.
void read_rdma_nodes(NamingWorld &world, const Dir &sysfs);

} // namespace nmib
