// SPDX-License-Identifier: LGPL-2.1-or-later
/// A port's answer to a subnet management packet.
#pragma once
#include "core/ib/rdma_device.hpp"

#include <cstdint>
#include <span>

namespace nmib
{

/// Reads a local port's MTUs: PortInfo, NeighborMTU and MTUCap (InfiniBand Architecture, volume 1, 14.2.5.6). Error of
/// kind `denied`: no permission for these packets; `unsupported`: no module ib_umad.
Result<PortMtu> ask_port_mtu(const std::string &device, unsigned port);

/// Parses the answer, a directed-route SMP of 256 bytes (same volume, 14.2.1.2). `where` names the port in messages.
Result<PortMtu> parse_port_mtu(std::span<const std::uint8_t> answer, const std::string &where);

} // namespace nmib
