// SPDX-License-Identifier: LGPL-2.1-or-later
/// Requests to RDMA netlink (include/uapi/rdma/rdma_netlink.h).
#pragma once
#include "probe/base/netlink.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace nmib
{

/// `command` is RDMA_NLDEV_CMD_*.
NetlinkMessage rdma_request(unsigned command, int flags = 0);
/// Returns an RDMA device's number; nothing if there is no such device. Error: the devices cannot be listed.
Result<std::optional<std::uint32_t>> rdma_index(Netlink &socket, const std::string &device);
/// Returns a port's interface (RDMA_NLDEV_CMD_PORT_GET), the only source for siw; empty if the kernel names none.
std::string netdev_of(const std::string &device, unsigned port);
/// Returns true if each RDMA device is visible in one network namespace only (RDMA_NLDEV_CMD_SYS_GET); false if
/// unknown.
bool has_exclusive_devices();
/// Returns how many programs have an RDMA device open; nothing if unknown.
std::optional<unsigned> rdma_users(const std::string &device);

} // namespace nmib
