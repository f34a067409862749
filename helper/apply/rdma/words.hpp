// SPDX-License-Identifier: LGPL-2.1-or-later
/// Writes the rdma.* words of a profile, and applies the steps of their plan.
#pragma once
#include "core/rdma/plan.hpp"
#include "core/rdma/words.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

namespace nmib
{

/// Writes the file of a profile, or removes it if there are no values. core/rdma/words must accept each value.
Result<void> write_rdma_words(const std::string &directory, const std::string &uuid, const RdmaValues &values);

/// RDMA-CM's RoCE version and type of service of each port (drivers/infiniband/core/cma_configfs.c). The values belong
/// to rdma_cm; a device's folder only gives access to them, and pins the module.
constexpr const char *rdma_cm_folder = "/sys/kernel/config/rdma_cm";

bool has_folder(const std::string &folder, const std::string &device);
/// Removes the folder that a killed helper left. The values stay.
void remove_folder(const std::string &folder, const std::string &device);
/// Returns the values in effect. Makes the device's folder if missing, and removes it again.
Result<RoceValues> read_roce(const std::string &folder, const std::string &device, unsigned port);
/// Writes the values and reads them back.
Result<void> set_roce(const std::string &folder, const SetRoce &step);

/// Uses RDMA netlink (include/uapi/rdma/rdma_netlink.h); the kernel loads the type's module. The Error has the remedy.
Result<void> add_soft_rdma(const AddSoft &step);
/// A missing device is no Error.
Result<void> remove_soft_rdma(const RemoveSoft &step);

/// Sets node and port GUID of a virtual function. mlx4: through step.file (drivers/infiniband/hw/mlx4/sysfs.c,
/// store_admin_alias_guid). mlx5: by rtnetlink (IFLA_VF_IB_NODE_GUID, IFLA_VF_IB_PORT_GUID).
Result<void> set_vf_guid(const Dir &sysfs, Rtnl &rtnl, const SetVfGuid &step);

} // namespace nmib
