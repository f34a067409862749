// SPDX-License-Identifier: LGPL-2.1-or-later
/// IPv4 subnets.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind route_kinds[] = {
    {"same-subnet", N_("{where}, {subject} share the IP subnet {value}"),
     N_("One route wins: all traffic into the subnet leaves through one of the interfaces, and each of them answers "
        "ARP for all. Bandwidth is lost, and RDMA connections to the other ports fail."),
     By::fix,
     N_("Give each port an IP subnet of its own. Or let each port answer ARP only for its own addresses, with a route "
        "and a rule of its own")},
};

} // namespace nmib::catalogue
