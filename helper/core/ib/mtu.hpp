// SPDX-License-Identifier: LGPL-2.1-or-later
/// The possible MTUs of an IPoIB interface, in bytes of IP payload.
#pragma once
#include "core/ib/mode.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace nmib
{

using Mtu = std::uint32_t;

namespace mtu
{
/// The IPoIB header (ipoib.h, IPOIB_ENCAP_LEN). The MTU of datagram mode is the InfiniBand MTU minus this.
constexpr Mtu encapsulation = 4;
/// The least MTU of datagram mode (ipoib_main.c, ipoib_change_mtu).
constexpr Mtu minimum = 72;
/// ipoib.h, IPOIB_CM_MTU. Less on a device whose shared receive queue has fewer entries.
constexpr Mtu connected_maximum = 65520;
/// Omni-Path's 10240 is the largest InfiniBand MTU.
constexpr Mtu datagram_maximum = 10240 - encapsulation;
/// The largest MTU of datagram mode on InfiniBand.
constexpr Mtu infiniband_maximum = 4096 - encapsulation;
/// NetworkManager raises a lower MTU if IPv6 is in use (RFC 8200).
constexpr Mtu ipv6_minimum = 1280;

constexpr Mtu maximum(TransportMode mode) noexcept
{
    return mode == TransportMode::connected ? connected_maximum : datagram_maximum;
}

/// The possible limits of a kernel, highest first. The kernel does not export a port's limit, but refuses a higher MTU.
std::span<const Mtu> rungs(TransportMode mode) noexcept;
/// The next possible limit below `refused`; nullopt if there is none.
std::optional<Mtu> next_below(TransportMode mode, Mtu refused) noexcept;
/// Returns true for the limit of a broadcast group: an InfiniBand MTU minus the encapsulation.
bool is_group_limit(Mtu mtu) noexcept;
/// Returns true if a new broadcast group may have changed a datagram MTU in this way: from the old group's limit up to
/// the new one's, or from any MTU down to it (ipoib_multicast.c, ipoib_mcast_join_finish).
bool follows_group(Mtu before, Mtu now) noexcept;
} // namespace mtu

} // namespace nmib
