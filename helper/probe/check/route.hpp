// SPDX-License-Identifier: LGPL-2.1-or-later
/// The kernel's routes, the neighbour entry of a next hop, and the numbers of routing tables, over rtnetlink.
#pragma once
#include "core/base/result.hpp"
#include "core/check/step.hpp"

#include <cstdint>
#include <set>

struct nlmsghdr;

namespace nmib
{

/// Reads the route for a packet to `to` (RTM_GETROUTE), from the address `from` of this machine, if given. Error: the
/// kernel's reason why there is no route.
Result<RouteSeen> read_route(const IpAddress &to, const IpAddress *from = nullptr);
/// Reads the neighbour entry on this interface (RTM_GETNEIGH); `none` if there is no entry.
Result<NeighbourState> read_neighbour(const IpAddress &of, int ifindex);

/// Returns the tables of all routes and rules, and the priorities of the rules.
Result<std::set<std::uint32_t>> read_routing_numbers();

/// Parse one message; nothing unless it is a complete RTM_NEWROUTE or RTM_NEWNEIGH.
std::optional<RouteSeen> parse_route(const nlmsghdr *message) noexcept;
std::optional<NeighbourState> parse_neighbour(const nlmsghdr *message) noexcept;

} // namespace nmib
