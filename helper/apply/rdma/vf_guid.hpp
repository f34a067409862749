// SPDX-License-Identifier: LGPL-2.1-or-later
/// Node and port GUID of a virtual function.
#pragma once
#include "core/rdma/plan.hpp"
#include "probe/rtnl.hpp"

namespace nmib
{

/// By rtnetlink (IFLA_VF_IB_NODE_GUID, IFLA_VF_IB_PORT_GUID), as mlx5 has it.
Result<void> set_vf_guid(Rtnl &rtnl, const SetVfGuid &step);

} // namespace nmib
