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
nm_restart
expect_state ib0 connected
all_as_should_be "after a restart of the daemon"
expect_journal 'nm-ib: .*(mlx4-connectx-a0-lso|tx-tcp-segmentation)'
