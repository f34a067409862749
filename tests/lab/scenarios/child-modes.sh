# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a P_Key child in both modes, MTU automatic and explicit, with data over its partition
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: NetworkManager does this by itself
. ./lib.sh
fabric
peer ib1 datagram
must ip -n peer link add link ib1 name kid type ipoib pkey 0x8002 mode datagram
must ip -n peer address add 198.51.100.2/24 dev kid
must ip -n peer link set kid up
nm_start
child c ib0 0x8002 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.100.1/24
expect_up c
expect_pkey ib0.8002 0x8002
expect_mode ib0.8002 datagram
expect_mtu ib0.8002 2044
expect_ping 198.51.100.2 2016
expect_down c
expect_no_link ib0.8002
modify c infiniband.transport-mode connected infiniband.mtu auto
expect_up c
expect_mode ib0.8002 connected
expect_mtu ib0.8002 65520
modify c infiniband.mtu 9000
expect_up c
expect_mtu ib0.8002 9000
expect_ping 198.51.100.2
check "ib0: the mode of the child does not change the mode of the parent" is "$(cat $NET/ib0/mode)" datagram
expect_profile_kept c
expect_down c
expect_no_link ib0.8002
