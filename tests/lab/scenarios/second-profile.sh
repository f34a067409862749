# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a second profile on the same device: each is applied as it says, one after the other
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: modes and MTUs as here, TSO on
. ./lib.sh
fabric
nm_start
profile c ifname ib0 transport-mode connected mtu 65520
profile d ifname ib0 transport-mode datagram mtu 2044
for _ in 1 2; do
    expect_up c
    expect_mode ib0 connected
    expect_mtu ib0 65520
    expect_up d
    expect_mode ib0 datagram
    expect_mtu ib0 2044
    expect_tso ib0 off
done
expect_profile_kept c
expect_profile_kept d
