// SPDX-License-Identifier: LGPL-2.1-or-later
/// The other machine, and the interface towards it.
#pragma once
#include "core/base/result.hpp"
#include "core/check/step.hpp"

namespace nmib::cli
{

/// The first address of a name, or the address itself; `family` is AF_INET, AF_INET6 or AF_UNSPEC. An Error of kind
/// `absent` when there is none.
Result<IpAddress> resolve(const std::string &peer, int family);
/// "192.0.2.2", "fe80::2%ib0"
std::string text_of(const IpAddress &address);

/// Has the kernel look for the next hop: a datagram to a port where no program listens (discard). Whether it gets there
/// does not matter.
void stir(const IpAddress &address);

/// The interface and the port below it, also of a bond's active port and of a VLAN. `port` stays empty where there is
/// no RDMA device.
Result<LinkSeen> look_at_link(int ifindex);

} // namespace nmib::cli
