# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: down of a child after a restart of the daemon leaves no interface behind
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: ib0.8002 stays
. ./lib.sh
fabric
nm_start
child c ib0 0x8002 transport-mode datagram
expect_up c
expect_state ib0.8002 connected
nm_restart
expect_state ib0.8002 connected
expect_down c
expect_no_link ib0.8002
expect_up c
expect_pkey ib0.8002 0x8002
expect_down c
expect_no_link ib0.8002
