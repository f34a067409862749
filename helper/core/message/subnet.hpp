// SPDX-License-Identifier: LGPL-2.1-or-later
/// Subnet managers, partitions.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind subnet_kinds[] = {
    {"subnet-manager-on-other-port",
     N_("{where}: the link is up, and no subnet manager has set up the port; opensm of this host manages {value} only"),
     N_("opensm manages the subnet of each port that its settings name, and no other."), By::command,
     N_("To manage both subnets with this opensm")},
    {"two-subnet-managers",
     N_("{where} and {subject} have the same subnet prefix, but different subnet managers: {value}"),
     N_("Two subnets need two prefixes: programs take the ports for one subnet, and connections fail. In one subnet "
        "two managers work against each other."),
     By::hands,
     N_("Two subnets: set subnet_prefix in opensm.conf of one. One subnet: stop one manager. To see the manager of a "
        "port"),
     "sminfo -C {hca} -P {port}"},
    {"port-not-active", N_("{where}: the link is up, and the port stays {value}"),
     N_("The subnet manager has begun to set up the port, and has not ended: the other end may be "
        "down, or the manager busy or stopped."),
     By::hands, N_("The log of the subnet manager, on its host, names the GUID of the port"),
     "nm-ib port show {where}"},
    {"subnet-manager-lost", N_("{where} is active, but its subnet manager no longer answers ({value})"),
     N_("Active interfaces stay up. New interfaces cannot join a partition, and a port that loses "
        "its link does not come back."),
     By::hands,
     N_("Check the subnet manager on its host, where nm-ib host shows the settings. To see the "
        "subnet manager that answers here"),
     "sminfo -C {hca} -P {port}"},
    {"vf-without-subnet-manager",
     N_("{where} belongs to a virtual function: no subnet manager has set up the port, but the "
        "port of the card itself is active"),
     N_("The subnet manager has to support virtual ports: for ConnectX-4 and later, only the vendor's opensm does."),
     By::hands, N_("Use the vendor's subnet manager, with its support of virtual ports turned on")},
    {"no-broadcast-group",
     N_("{where} has no carrier, although its port is active and has the P_Key; the broadcast group was not queried"),
     N_("Joining the broadcast group of its partition fails: the group is missing, or requires "
        "another rate or MTU than the port has."),
     By::hands,
     N_("The subnet manager makes the group where partitions.conf has 'ipoib'. To query the subnet "
        "manager, and to see the kernel's reason"),
     "sminfo -C {hca} -P {port}\njournalctl -k -g multicast.join.failed"},
};

} // namespace nmib::catalogue
