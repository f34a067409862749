// SPDX-License-Identifier: LGPL-2.1-or-later
/// What the library of RDMA programs, libibverbs, needs of the file system for each card.
#pragma once
#include "probe/base/dir.hpp"

namespace nmib
{

/// Devices of libibverbs that have no node: "uverbs0" and its RDMA device. `dev` is /dev.
std::vector<std::pair<std::string, std::string>> missing_verbs_nodes(const Dir &sysfs, const Dir &dev);

/// RDMA devices that programs can use and that no provider is installed for: device and provider, "mlx5". Nothing
/// where libibverbs itself is not there. `root` is /.
std::vector<std::pair<std::string, std::string>> missing_verbs_providers(const Dir &sysfs, const Dir &root);

} // namespace nmib
