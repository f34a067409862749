# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rev a0 and b0 side by side: TSO stays off on the a0 port and its children, and on for b0
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: TSO stays on everywhere
. ./lib.sh
fabric name=mlx4_0,mlx4_1 rev=0xa0,0xb0 ports=1
nm_start
child early ib0 0x8001 transport-mode datagram
child late ib0 0x8002 transport-mode datagram
profile a0 ifname ib0 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24
profile b0 ifname ib1 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.2/24
child b0c ib1 0x8001 transport-mode datagram
expect_up early
expect_up a0
expect_up late
expect_up b0
expect_up b0c
all_as_should_be() {
    note "$1"
    settle
    for link in ib0 ib0.8001 ib0.8002; do
        expect_tso $link off
    done
    expect_tso ib1 on
    expect_tso ib1.8001 on
}
all_as_should_be "after activation"
for mode in connected datagram; do
    modify a0 infiniband.transport-mode $mode
    expect_up a0
    expect_mode ib0 $mode
done
all_as_should_be "after datagram, connected, datagram"
expect_down a0
expect_tso ib0 off
expect_up a0
all_as_should_be "after down and up"
for hca in mlx4_0 mlx4_1; do hca event $hca 1 rereg; done
port_state mlx4_0 1 down
expect_carrier ib0 0
port_state mlx4_0 1 active
expect_carrier ib0 1
all_as_should_be "after a reregistration and a carrier flap"
nm_restart
expect_state ib0 connected
all_as_should_be "after a restart of the daemon"
expect_journal 'nm-ib: .*(mlx4-connectx-a0-lso|tx-tcp-segmentation)'
strange() { find /run/NetworkManager/nm-infiniband \( -name 'mtu-*' -o -name 'child-*' -o -name 'logged-*' \) ! -name '*-ib[01]' ! -name '*-ib[01].800[12]'; }
check "state files: only with names of interfaces" prints_only '' strange
