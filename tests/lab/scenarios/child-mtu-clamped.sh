# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a child with more MTU than the broadcast group of its partition allows: up at the highest possible
# with: plugin+dispatcher plugin dispatcher
# alone: up at 2044, nothing is logged
. ./lib.sh
fabric
nm_start
child c ib0 0x8002 transport-mode datagram infiniband.mtu 4092
expect_up c
expect_mtu ib0.8002 2044
expect_journal_once 'nm-ib: .*ib0.8002: MTU 4092 was requested, 2044 is in effect'
