// SPDX-License-Identifier: LGPL-2.1-or-later
/// Storage targets over InfiniBand (SRP): what ib_srp has of a port. Only read.
#pragma once
#include "core/inventory/rdma_device.hpp"
#include "probe/dir.hpp"

namespace nmib
{

void read_srp(const Dir &sysfs, const std::string &device, RdmaPort &port);

} // namespace nmib
