# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a driver that refuses connected mode when the helper wants it back: said once, and the link in use stays up
# with: dispatcher
# releases: bookworm (trixie)
# alone: nobody notices that the mode is not the profile's
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode connected mtu 65520 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mode ib0 connected
hca connected mlx4_0 1 refuse
must sh -c "echo datagram >$NET/ib0/mode"
flaps=$(cat $NET/ib0/carrier_changes)
journal_mark
nm_restart
expect_journal_once "nm-ib: ib0: profile 'x' asks for connected mode, which is not possible: the driver refused it"
nm_restart
check "not taken down to try again" never 3 eval "! is \"\$(cat $NET/ib0/carrier_changes)\" $flaps"
check "nor said again" _said_once "asks for connected mode"
expect_state ib0 connected
expect_mode ib0 datagram
expect_profile_kept x
