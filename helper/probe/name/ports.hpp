// SPDX-License-Identifier: LGPL-2.1-or-later
/// The InfiniBand ports of a machine, and how udev knows their interfaces.
#pragma once
#include "core/base/result.hpp"
#include "core/name/naming_world.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

namespace nmib
{

/// The names of every interface, by ifindex.
Result<std::vector<InterfaceNames>> read_names(Rtnl &rtnl);

/// Every InfiniBand port below `sysfs`, by PCI address, HCA and number. `udev_data` is /run/udev/data; where it or a
/// file in it is missing, only ID_IPOIB_ADDRESS and ID_IPOIB_DEV_PORT are known of an interface, as our udev rule
/// (data/udev) sets them. What cannot be read of a port is left out.
Result<std::vector<PortIdentity>> read_ports(const Dir &sysfs, const std::string &udev_data,
                                             std::span<const InterfaceNames> names);

} // namespace nmib
