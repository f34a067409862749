// SPDX-License-Identifier: LGPL-2.1-or-later
/// Node and port GUID of a virtual function.
#pragma once
#include "core/rdma/plan.hpp"
#include "probe/dir.hpp"
#include "probe/rtnl.hpp"

namespace nmib
{

/// By rtnetlink (IFLA_VF_IB_NODE_GUID, IFLA_VF_IB_PORT_GUID), as mlx5 has it; with a file into that, as mlx4 has it
/// (drivers/infiniband/hw/mlx4/sysfs.c, store_admin_alias_guid), which reads back what was written.
Result<void> set_vf_guid(const Dir &sysfs, Rtnl &rtnl, const SetVfGuid &step);

} // namespace nmib
