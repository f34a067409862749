# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: datagram on a 4096 fabric: MTU 4092, explicit and automatic; a lower MTU of the profile is used
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself
. ./lib.sh
fabric active_mtu=4096
peer ib1 datagram 192.0.2.2/24
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 4092
expect_ping 192.0.2.2 4064
modify x infiniband.mtu 2044
expect_down x
expect_up x
expect_mtu ib0 2044
modify x infiniband.mtu auto
expect_down x
expect_up x
expect_mtu ib0 4092
expect_no_journal 'MTU .* was requested'
