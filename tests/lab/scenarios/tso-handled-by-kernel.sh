# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rev a0 where the kernel does not offer TSO: nothing changes, and the journal says so
# with: plugin+dispatcher plugin dispatcher
# alone: nothing is logged
. ./lib.sh
fabric lso=0
nm_start
profile x ifname ib0 transport-mode datagram
journal_mark
expect_up x
expect_tso ib0 "off [fixed]"
expect_journal 'nm-ib: .*ib0: quirk mlx4-connectx-a0-lso: handled by the kernel'
expect_no_journal 'nm-ib: .*(fail|error)'
