// SPDX-License-Identifier: LGPL-2.1-or-later
/// The interface of a port whose sysfs does not tell it.
#pragma once
#include <string>

namespace nmib
{

/// Asks RDMA netlink (RDMA_NLDEV_CMD_PORT_GET), as siw has its interface nowhere else; empty where nobody answers.
std::string netdev_of(const std::string &device, unsigned port);

} // namespace nmib
