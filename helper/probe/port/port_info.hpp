// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a port answers about itself to a subnet management packet.
#pragma once
#include "core/ib/rdma_device.hpp"

#include <cstdint>
#include <span>

namespace nmib
{

/// The InfiniBand MTU of a port of this machine: PortInfo, NeighborMTU and MTUCap (InfiniBand Architecture, volume 1,
/// 14.2.5.6). An Error of kind `denied` for whoever may not send such packets, `unsupported` without the module
/// ib_umad.
Result<PortMtu> ask_port_mtu(const std::string &device, unsigned port);

/// The same, of the management datagram that came back: 256 bytes, a directed-route SMP (InfiniBand Architecture,
/// volume 1, 14.2.1.2). `where` is the port, for the message.
Result<PortMtu> parse_port_mtu(std::span<const std::uint8_t> answer, const std::string &where);

} // namespace nmib
