// SPDX-License-Identifier: LGPL-2.1-or-later
/// How much a port, and the bus behind it, can carry. All rates are megabits a second.
#pragma once
#include "core/ib/rdma_device.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace nmib
{

/// What is left for data of what the kernel calls the rate of a port. SDR, DDR and QDR send 10 bits for 8 (InfiniBand
/// Architecture, volume 2). sysfs gives FDR as 14 Gb/s a lane, which are 66 bits for 64, and what is faster, FDR10 and
/// Ethernet without these bits already (drivers/infiniband/core/sysfs.c, rate_show).
unsigned data_rate(const PortRate &rate, LinkLayer layer) noexcept;

/// Of a PCI link, as sysfs says its speed ("8.0 GT/s PCIe") and width ("8"): without the bits of its code, but with its
/// packets' headers. Nothing where they say nothing.
std::optional<unsigned> pci_rate(std::string_view speed, std::string_view width) noexcept;

/// "169 Mbit/s", "15.3 Gbit/s", "32 Gbit/s"
std::string rate_text(unsigned mbps);

} // namespace nmib
