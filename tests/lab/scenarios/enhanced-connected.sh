# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: connected mode on an HCA that has none: up in datagram mode, with the reason in the journal
# with: plugin+dispatcher plugin
# releases: bookworm trixie
# alone: the activation fails: config-failed
. ./lib.sh
fabric name=mlx5_0 driver=mlx5_core devid=0x1017 rev=0 enhanced=1
peer ib1 datagram 192.0.2.2/24
nm_start
profile x ifname ib0 transport-mode connected mtu 65520 ipv4.method manual ipv4.addresses 192.0.2.1/24
journal_mark
expect_up x
expect_mode ib0 datagram
expect_mtu ib0 2044
expect_state ib0 connected
expect_ping 192.0.2.2 2016
expect_journal_once "nm-ib: .*ib0: profile 'x' requests connected mode, which is not possible: .*, using datagram mode instead"
expect_profile_kept x
check "ib0: reapply succeeds" nmcli device reapply ib0
expect_mode ib0 datagram
must ip link set ib0 mtu 1500
check "ib0: an MTU that was set by hand stays" stays file_is 1500 $NET/ib0/mtu
child c ib0 0x8002 transport-mode connected
journal_mark
expect_up c
expect_mode ib0.8002 datagram
expect_journal_once "nm-ib: .*ib0.8002: profile 'c' requests connected mode, which is not possible"
expect_nm_alive
