# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: datagram on a 2048 fabric: MTU 2044, explicit and automatic
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself
. ./lib.sh
fabric
peer ib1 datagram 192.0.2.2/24
nm_start
profile x ifname ib0 transport-mode datagram mtu 2044 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mode ib0 datagram
expect_mtu ib0 2044
expect_ping 192.0.2.2 2016
modify x infiniband.mtu auto
expect_down x
expect_up x
expect_mtu ib0 2044
expect_no_journal 'MTU .* was requested'
