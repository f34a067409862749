// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once
#include "cli/row.hpp"

namespace nmib::cli
{
extern const Group connection_group, infiniband_group, sriov_group, ethtool_group, match_group, ipv4_group, ipv6_group,
    hostname_group, tc_group, proxy_group, bond_port_group;
}
