// SPDX-License-Identifier: LGPL-2.1-or-later
/// RDMA devices in software, by RDMA netlink (include/uapi/rdma/rdma_netlink.h).
#pragma once
#include "core/rdma/plan.hpp"

namespace nmib
{

/// The kernel loads the module that the type needs. The Error says the way out.
Result<void> add_soft_rdma(const AddSoft &step);
/// Not there is as good as removed.
Result<void> remove_soft_rdma(const RemoveSoft &step);

} // namespace nmib
