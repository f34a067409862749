# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a profile that asks for TSO explicitly wins over the quirk, with a warning
# with: plugin+dispatcher (plugin) (dispatcher)
# alone: TSO is on, no warning
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram ethtool.feature-tso on
journal_mark
expect_up x
expect_journal "nm-ib: .*ib0: quirk mlx4-connectx-a0-lso not applied: profile 'x' asks for"
check "TSO stays on" never 2 eval "is \"\$(_tso ib0)\" off"
expect_profile_kept x

child c ib0 0x8001 transport-mode datagram ethtool.feature-tso on
profile y ifname ib0 transport-mode datagram
expect_up c
expect_tso ib0.8001 on
expect_up y
expect_tso ib0 off
check "a child's own profile decides for the child" never 2 eval "is \"\$(_tso ib0.8001)\" off"
