// SPDX-License-Identifier: LGPL-2.1-or-later
/// What MTU an IPoIB interface can have. All values are bytes of IP payload.
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
/// The IPoIB encapsulation header (ipoib.h, IPOIB_ENCAP_LEN): a datagram carries the InfiniBand MTU less this.
constexpr Mtu encapsulation = 4;
/// ipoib_main.c, ipoib_change_mtu: datagram mode takes nothing below.
constexpr Mtu minimum = 72;
/// ipoib.h, IPOIB_CM_MTU; a device whose shared receive queue has fewer entries allows less.
constexpr Mtu connected_maximum = 65520;
/// The largest InfiniBand MTU there is: Omni-Path's 10240.
constexpr Mtu datagram_maximum = 10240 - encapsulation;
/// NetworkManager raises anything lower where IPv6 is in use (RFC 8200).
constexpr Mtu ipv6_minimum = 1280;

constexpr Mtu maximum(TransportMode mode) noexcept
{
    return mode == TransportMode::connected ? connected_maximum : datagram_maximum;
}

/// The values at which a kernel's limit can lie, highest first. The kernel does not export a port's limit; it refuses
/// what is above.
std::span<const Mtu> rungs(TransportMode mode) noexcept;
/// The next value worth asking for once `refused` was refused; nothing when there is none.
std::optional<Mtu> next_below(TransportMode mode, Mtu refused) noexcept;
/// True if the kernel may have changed a datagram MTU so, following a new broadcast group: from the old group's limit
/// up to the new one's, or from any MTU down to it (ipoib_multicast.c, ipoib_mcast_join_finish). Any other change is
/// made by hand.
bool follows_group(Mtu before, Mtu now) noexcept;
} // namespace mtu

} // namespace nmib
