// SPDX-License-Identifier: LGPL-2.1-or-later
/// Which of the kernel's modules are there, and which cards lack theirs.
#pragma once
#include "probe/base/dir.hpp"

#include <set>

namespace nmib
{

/// True also where it is built into the kernel, or where it is not known.
bool has_module(const Dir &sysfs, const std::string &name);

/// PCI functions of class InfiniBand controller that a driver of RDMA cards holds, and that have no RDMA device: PCI
/// address and driver. Ethernet cards of the same drivers need none.
std::vector<std::pair<std::string, std::string>> bare_functions(const Dir &sysfs);

/// PCI functions of that class that no driver has taken.
std::vector<std::string> unbound_functions(const Dir &sysfs);

/// The modules that the running kernel can load or has built in, by their names as the kernel has them.
Result<std::set<std::string>> read_known_modules();

// What the library of RDMA programs, libibverbs, needs of the file system for each card.

/// Devices of libibverbs that have no node: "uverbs0" and its RDMA device. `dev` is /dev.
std::vector<std::pair<std::string, std::string>> missing_verbs_nodes(const Dir &sysfs, const Dir &dev);

/// RDMA devices that programs can use and that no provider is installed for: device and provider, "mlx5". Nothing
/// where libibverbs itself is not there. `root` is /.
std::vector<std::pair<std::string, std::string>> missing_verbs_providers(const Dir &sysfs, const Dir &root);

} // namespace nmib
