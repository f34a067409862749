// SPDX-License-Identifier: LGPL-2.1-or-later
/// What RDMA-CM keeps for a port: RoCE version and type of service (drivers/infiniband/core/cma_configfs.c). The value
/// belongs to rdma_cm; the folder is only the way to it, and pins the module.
#pragma once
#include "core/rdma/plan.hpp"

namespace nmib
{

constexpr const char *rdma_cm_folder = "/sys/kernel/config/rdma_cm";

bool has_folder(const std::string &folder, const std::string &device);
/// That of a helper which was killed; the values stay, they are not the folder's.
void remove_folder(const std::string &folder, const std::string &device);
/// What is in effect. The folder of the device is made if nobody else has, and goes again.
Result<RoceValues> read_roce(const std::string &folder, const std::string &device, unsigned port);
/// Writes, and reads back what came of it.
Result<void> set_roce(const std::string &folder, const SetRoce &step);

} // namespace nmib
