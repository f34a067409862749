# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an explicit TSO setting of a profile overrides the quirk, with a warning
# with: plugin+dispatcher plugin dispatcher
# alone: TSO is on, no warning
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram ethtool.feature-tso on
journal_mark
expect_up x
expect_journal "nm-ib: .*ib0: quirk mlx4-connectx-a0-lso not applied: profile 'x' requests"
check "ib0, TSO on in the profile: stays on" stays prints_only on _tso ib0
expect_profile_kept x
nm_restart
check "ib0, TSO on in the profile: stays on when a restarted daemon takes the profile over" stays prints_only on _tso ib0

child c ib0 0x8001 transport-mode datagram ethtool.feature-tso on
profile y ifname ib0 transport-mode datagram
expect_up c
expect_tso ib0.8001 on
expect_up y
expect_tso ib0 off
check "ib0.8001, TSO on in the child's profile: stays on when the parent's profile is activated" stays prints_only on _tso ib0.8001
