// SPDX-License-Identifier: LGPL-2.1-or-later
/// What a port answers about itself to a subnet management packet.
#pragma once
#include "core/inventory/rdma_device.hpp"

namespace nmib
{

/// The InfiniBand MTU of a port of this machine: PortInfo, NeighborMTU and MTUCap (InfiniBand Architecture, volume 1,
/// 14.2.5.6). An Error of kind `denied` for whoever may not send such packets, `unsupported` without the module
/// ib_umad.
Result<PortMtu> ask_port_mtu(const std::string &device, unsigned port);

} // namespace nmib
