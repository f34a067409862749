# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a profile with P_Key 0x0002: up and down, twice, and no interface is left
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: the first down leaves ib0.0002 behind, the second up fails: exists
. ./lib.sh
fabric
nm_start
child c ib0 0x0002 transport-mode datagram
expect_up c
expect_pkey ib0.0002 0x8002
expect_journal "nm-ib: .*profile 'c' has P_Key 0x0002, using 0x8002 instead"
expect_down c
expect_no_link ib0.0002
expect_up c
expect_pkey ib0.0002 0x8002
expect_down c
expect_no_link ib0.0002
check "ib0: no partition is left under any name" is "$(find $NET -name 'ib0.*')" ''
expect_profile_kept c
expect_nm_alive
