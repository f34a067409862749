// SPDX-License-Identifier: LGPL-2.1-or-later
/// What programs need on a port.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind verbs_kinds[] = {
    {"no-verbs-node", N_("{subject} has no {where} in /dev/infiniband"),
     N_("Programs that use RDMA do not find the card, and the connection manager's library may fail for all cards."),
     By::hands,
     N_("A container needs the nodes of all cards. On a host the kernel makes {where} when the driver is loaded")},
    {"no-verbs-provider", N_("{where}: libibverbs has no library for this card ({value})"),
     N_("Programs that use RDMA report no devices, although the kernel has them."), By::hands,
     N_("Install ibverbs-providers (Debian) or libibverbs (RHEL); a provider that was built by hand needs a file in "
        "/etc/libibverbs.d")},
    {"no-default-pkey", N_("{where}: its P_Key table has no default P_Key (0xffff or 0x7fff)"),
     N_("The subnet manager's own traffic needs this P_Key, and many programs use no other key."), By::hands,
     N_("In partitions.conf of the subnet manager: Default=0x7fff, ipoib: ALL=full; then: systemctl restart opensm")},
    {"roce-link-local-only", N_("{where} is active, and all its GIDs are link-local ({subject})"),
     N_("A link-local GID cannot be routed: connections to hosts behind a router time out."), By::hands,
     N_("Give {subject} an IPv4 address, or a global IPv6 one")},
    {"roce-first-gid", N_("{where}: its first GID has the index {value}, not 0"),
     N_("Programs take index 0 by default, and fail with 'no such device'."), By::hands,
     N_("Give the program the index (NCCL_IB_GID_INDEX={value}, ib_send_bw -x {value}). To see all GIDs"),
     "nm-ib port show {where}"},
    {"roce-tos-unmapped",
     N_("profile '{subject}' gives RDMA on {where} the DSCP {value} (rdma.roce-tos), and the card maps it to no "
        "priority"),
     N_("The card sends the packets with the default priority. Switches may treat them by the DSCP, but the flow "
        "control of another priority does not stop the card."),
     By::hands,
     N_("Map the DSCP to the priority that the switches use, at each boot: dcb app add dev {where} dscp-prio "
        "{value}:PRIORITY. To see what the card maps"),
     "dcb app show dev {where}"},
    {"roce-no-pfc", N_("profile '{subject}' gives RDMA on {where} the priority {value}, which has no flow control"),
     N_("If the network is to lose no RDMA packets, card and switches need priority flow control. A network that "
        "accepts losses needs none."),
     By::hands,
     N_("If the switches use flow control for this priority, at each boot: dcb pfc set dev {where} prio-pfc "
        "{value}:on. To see what the card uses"),
     "dcb pfc show dev {where}"},
};

} // namespace nmib::catalogue
