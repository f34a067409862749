# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: more MTU than the fabric allows: up at the highest possible, with the reason in the journal
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: up at 2044, nothing is logged about 4092; a warning without a reason about 65520
. ./lib.sh
fabric
peer ib1 datagram 192.0.2.2/24
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
journal_mark
expect_up x
expect_mtu ib0 2044
expect_ping 192.0.2.2 2016
expect_journal_once 'nm-ib: .*ib0: MTU 4092 was requested, 2044 is in effect'
expect_profile_kept x
modify x infiniband.mtu 65520
journal_mark
expect_up x
expect_mtu ib0 2044
expect_journal 'nm-ib: .*ib0: MTU 65520 was requested'
expect_profile_kept x
