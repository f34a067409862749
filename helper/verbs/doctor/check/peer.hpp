// SPDX-License-Identifier: LGPL-2.1-or-later
/// The peer of `nm-ib check`, and the interface towards the peer.
#pragma once
#include "core/base/result.hpp"
#include "core/check/step.hpp"

#include <string>

namespace nmib::cli
{

/// Returns the first address of a name, or the address itself. `family`: AF_INET, AF_INET6 or AF_UNSPEC. An Error of
/// kind `absent` if there is no address.
Result<IpAddress> resolve(const std::string &peer, int family);
/// Returns "192.0.2.2", "fe80::2%ib0".
std::string text_of(const IpAddress &address);

/// Makes the kernel resolve the next hop: sends a datagram to the discard port. The datagram need not arrive.
void stir(const IpAddress &address);

/// Reads an interface and the port below, also of a bond's active port or a VLAN. `port` is empty without RDMA device.
Result<LinkSeen> look_at_link(int ifindex);

} // namespace nmib::cli
