# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a P_Key that the port's table lacks: the journal says why there is no carrier
# with: plugin+dispatcher dispatcher
# releases: bookworm (trixie)
# alone: up exits 0, there is never a carrier, nothing is logged
. ./lib.sh
fabric
nm_start
child c ib0 0x8005 transport-mode datagram
journal_mark
up c >/dev/null
expect_link ib0.8005
expect_journal 'nm-ib: .*ib0.8005: P_Key 0x8005 is not in the P_Key table of mlx4_0 port 1'
expect_down c
expect_no_link ib0.8005
