// SPDX-License-Identifier: LGPL-2.1-or-later
/// How the kernel would send to an address: its route, and what is known of the next hop. Over rtnetlink.
#pragma once
#include "core/base/result.hpp"
#include "core/check/step.hpp"

struct nlmsghdr;

namespace nmib
{

/// The kernel's answer for a packet to `to` (RTM_GETROUTE). An Error when it has none: the kernel's own words.
Result<RouteSeen> read_route(const IpAddress &to);
/// The neighbour entry on that interface (RTM_GETNEIGH). `none` where there is no entry.
Result<NeighbourState> read_neighbour(const IpAddress &of, int ifindex);

/// One message of the answer; nothing unless it is a whole, sane RTM_NEWROUTE or RTM_NEWNEIGH.
std::optional<RouteSeen> parse_route(const nlmsghdr *message) noexcept;
std::optional<NeighbourState> parse_neighbour(const nlmsghdr *message) noexcept;

} // namespace nmib
