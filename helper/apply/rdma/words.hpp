// SPDX-License-Identifier: LGPL-2.1-or-later
/// Writes what probe/rdma/words reads.
#pragma once
#include "core/rdma/plan.hpp"
#include "core/rdma/words.hpp"
#include "probe/base/dir.hpp"
#include "probe/base/rtnl.hpp"

namespace nmib
{

/// Each value is one that core/rdma/words takes. Without values the file goes.
Result<void> write_rdma_words(const std::string &directory, const std::string &uuid, const RdmaValues &values);

// Carries out the steps of a plan for an RDMA device.

/// What RDMA-CM keeps for a port: RoCE version and type of service (drivers/infiniband/core/cma_configfs.c). The value
/// belongs to rdma_cm; the folder is only the way to it, and pins the module.
constexpr const char *rdma_cm_folder = "/sys/kernel/config/rdma_cm";

bool has_folder(const std::string &folder, const std::string &device);
/// That of a helper which was killed; the values stay, they are not the folder's.
void remove_folder(const std::string &folder, const std::string &device);
/// What is in effect. Makes the folder of the device if it is missing, and removes it again.
Result<RoceValues> read_roce(const std::string &folder, const std::string &device, unsigned port);
/// Writes, and reads back what came of it.
Result<void> set_roce(const std::string &folder, const SetRoce &step);

/// By RDMA netlink (include/uapi/rdma/rdma_netlink.h); the kernel loads the module that the type needs. The Error says
/// the way out.
Result<void> add_soft_rdma(const AddSoft &step);
/// Not there is as good as removed.
Result<void> remove_soft_rdma(const RemoveSoft &step);

/// Node and port GUID of a virtual function: by rtnetlink (IFLA_VF_IB_NODE_GUID, IFLA_VF_IB_PORT_GUID), as mlx5 has it;
/// with a file into that, as mlx4 has it (drivers/infiniband/hw/mlx4/sysfs.c, store_admin_alias_guid).
Result<void> set_vf_guid(const Dir &sysfs, Rtnl &rtnl, const SetVfGuid &step);

} // namespace nmib
