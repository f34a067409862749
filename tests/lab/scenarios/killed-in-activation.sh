# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the daemon is killed during an activation: the next start is a normal one
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: the same, with TSO on
. ./lib.sh
fabric
nm_start
profile slow ifname ib0 transport-mode connected mtu 65520 ipv4.method auto ipv4.dhcp-timeout 600
profile x ifname ib0 transport-mode datagram mtu 2044 ipv4.method manual ipv4.addresses 192.0.2.1/24
nmcli -w 0 connection up slow
expect_state ib0 "connecting (getting IP configuration)"
nm_crash KILL
nm_start
expect_up x
expect_mode ib0 datagram
expect_mtu ib0 2044
expect_tso ib0 off
! has plugin || expect_no_journal 'plugin.*not loaded'
check "NetworkManager is running" systemctl is-active NetworkManager
