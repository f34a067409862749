# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: P_Key children that were made by hand are never removed
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: not removed
. ./lib.sh
fabric
nm_start
must ip link add link ib0 name hand type ipoib pkey 0x8003 mode datagram
echo 0x8001 >$NET/ib0/create_child
must ip link set hand up
profile x ifname ib0 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24
child c ib0 0x8002 transport-mode datagram
expect_up x
expect_up c
nm_restart
expect_state ib0.8002 connected
expect_down c
expect_no_link ib0.8002
expect_down x
check "hand and ib0.8001: exist after down of all profiles" stays test -e $NET/hand -a -e $NET/ib0.8001
nm_restart
check "hand and ib0.8001: exist after another restart of NetworkManager" stays test -e $NET/hand -a -e $NET/ib0.8001
