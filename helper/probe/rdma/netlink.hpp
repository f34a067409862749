// SPDX-License-Identifier: LGPL-2.1-or-later
/// Questions to RDMA netlink (include/uapi/rdma/rdma_netlink.h).
#pragma once
#include "probe/base/netlink.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace nmib
{

/// `command` is one of RDMA_NLDEV_CMD_*.
NetlinkMessage rdma_request(unsigned command, int flags = 0);
/// The number of an RDMA device; nothing where there is none. An Error where the devices cannot be listed.
Result<std::optional<std::uint32_t>> rdma_index(Netlink &socket, const std::string &device);
/// The interface of a port (RDMA_NLDEV_CMD_PORT_GET), as siw has it nowhere else; empty where the kernel names none.
std::string netdev_of(const std::string &device, unsigned port);
/// How many programs have an RDMA device open; nothing where the kernel does not say.
std::optional<unsigned> rdma_users(const std::string &device);

} // namespace nmib
