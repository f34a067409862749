// SPDX-License-Identifier: LGPL-2.1-or-later
/// Differences between hosts.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind merge_kinds[] = {
    {"same-guid", N_("several hosts have the same GUID: {value}: {where}"),
     N_("The subnet manager cannot distinguish the ports: one port gets no address, or both ports lose their "
        "addresses in turn."),
     By::hands,
     N_("Give each card the GUIDs that its label has, with the vendor's tool; of virtual functions: ip link set PF vf "
        "NUMBER node_guid GUID port_guid GUID")},
    {"same-host-name", N_("several hosts have the name {where}: {value}"),
     N_("In the map of the fabric, in logs and in job files, the hosts cannot be distinguished."), By::hands,
     N_("On all but one: hostnamectl set-hostname NAME")},
    {"same-description", N_("several hosts have cards with the node description '{where}': {value}"),
     N_("The cards have the same name in the map of the fabric (ibnetdiscover, ibdiagnet), where a "
        "faulty card cannot be found."),
     By::hands,
     N_("On each host: systemctl enable --now rdma-ndd; rdma-ndd writes the host name into the node description")},
    {"sm-differs", N_("ports with the subnet prefix {where} have different subnet managers: SM LID {value}"),
     N_("Two independent subnet managers in one subnet overwrite each other's LIDs and P_Keys. If these are separate "
        "fabrics, no program can distinguish them, because they have one prefix."),
     By::hands,
     N_("On a host of each, run: sminfo; then stop one of two in one fabric, or give each fabric "
        "its own subnet_prefix in opensm.conf")},
    {"subnets-alike", N_("several fabrics have the subnet prefix {where}: {value} have one LID"),
     N_("The fabric of a port is not known: MTU and mode of the partitions were not compared. "
        "Programs that use several ports have the same difficulty."),
     By::hands, N_("Give each fabric its own subnet_prefix in the opensm.conf of its subnet manager")},
    {"port-mtu-differs", N_("ports of the subnet {where} have different InfiniBand MTUs: {value}"),
     N_("A program that sets up queue pairs without a path query takes the MTU of its own port. "
        "The transfer hangs, or ends with a local length error."),
     By::hands,
     N_("Look at the larger ones: nm-ib port show PORT; the card or the switch at the other end allows no more, or is "
        "set to less")},
    {"mode-differs",
     N_("partition {where} of the subnet {subject}: its members have different transport modes: {value}"),
     N_("The MTU of a connected member is too large for a datagram member. Traffic that does not "
        "detect this, above all multicast, loses large packets."),
     By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE infiniband.transport-mode MODE; nmcli connection up "
        "PROFILE")},
    {"mtu-differs", N_("partition {where} of the subnet {subject}: its members have different MTUs: {value}"),
     N_("TCP adapts its packets. Larger packets of other protocols, above all multicast, are lost on the way to the "
        "member with the smallest MTU."),
     By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE infiniband.mtu MTU; nmcli "
        "connection up PROFILE; to see the possible MTUs: nm-ib plan")},
    {"limited-members", N_("partition {where} of the subnet {subject}: limited members: {value}"),
     N_("Limited members reach only full members."), By::hands,
     N_("In partitions.conf of the subnet manager: make those that have to reach each other full members (=full)")},
    {"no-common-pkey",
     N_("subnet {where}: the hosts {value} have no common P_Key in which one of them is a full member"),
     N_("These hosts cannot reach each other over InfiniBand, whatever their addresses. For tenants this is intended."),
     By::hands,
     N_("If they must communicate: put both hosts into one partition in partitions.conf of the subnet manager, one of "
        "them as a full member (=full)")},
    {"firmware-differs", N_("cards with the board id {where} have different firmware: {value}"),
     N_("What works on one host may fail on another: modes, virtual functions, speeds of cables."), By::hands,
     N_("With the vendor's tool, on the hosts that differ: mstflint -d PCI_ADDRESS query; then burn the firmware that "
        "the others have")},
    {"roce-mode-differs", N_("RoCE ports {where} use different RoCE versions: {value}"),
     N_("The two versions do not work together: connections end with 'retry counter exceeded'."), By::hands,
     N_("On the hosts that differ: nm-ib connection modify PROFILE rdma.roce-mode v2; nmcli connection up PROFILE, and "
        "an IPv4 or global IPv6 address on the interface")},
    {"roce-gid-differs", N_("RoCE ports {where} have their first routable RoCE v2 GID at different indices: {value}"),
     N_("A program with one index for all hosts takes a GID of another version or address on some "
        "hosts, and its queue pairs time out."),
     By::hands,
     N_("Give each host its own index (nm-ib port show PORT), or use a program that finds the "
        "index, for instance with the RDMA connection manager")},
    {"roce-mtu-differs", N_("RoCE ports {where} have interfaces with different MTUs: {value}"),
     N_("The RDMA MTU follows from this MTU: queue pairs with the larger MTU hang, or end with a local length error."),
     By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE 802-3-ethernet.mtu MTU; nmcli connection up "
        "PROFILE")},
    {"rate-differs", N_("ports {where} of cards with the board id {subject} have different rates: {value}"),
     N_("A program on many hosts is as slow as the slowest port."), By::hands,
     N_("On the hosts with the lower rate: nm-ib doctor; it names lost lanes, and what limits a link")},
    {"port-state-differs", N_("ports {where} of cards with the board id {subject} have different states: {value}"),
     N_("On some hosts the port works, on others it does not: perhaps a cable is missing."), By::hands,
     N_("On the hosts that differ: nm-ib doctor PORT; it names the cause")},
    {"ports-differ", N_("hosts with cards with the board ids {where} have different numbers of ports: {value}"),
     N_("Perhaps a card is lost."), By::hands, N_("On the hosts with fewer ports: nm-ib doctor, and lspci -d 15b3:")},
    {"host-missing", N_("expected hosts without a report: {where}"), N_("Their ports were not compared."), By::hands,
     N_("Look whether these hosts run, and repeat the collection")},
    {"host-finding", N_("reported by the hosts: {where}: {value}; the first report: {subject}"),
     N_("The reports of the hosts have this finding; nm-ib lists the finding once for all hosts."), By::hands,
     N_("On each host: nm-ib doctor")},
};

} // namespace nmib::catalogue
