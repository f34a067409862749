# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a quirk file with a mistake is reported once, not at each activation; the other files apply
# with: plugin+dispatcher dispatcher plugin
# releases: bookworm (trixie)
# alone: nothing is logged
. ./lib.sh
fabric
printf '[a]\nBogus=1\n' >/etc/nm-infiniband/quirks.d/50-a.conf
nm_start
profile x ifname ib0 transport-mode datagram
expect_up x
must nmcli device reapply ib0
expect_tso ib0 off
expect_journal_once 'nm-ib: .*50-a.conf'
expect_down x
check "ib0, down: the quirk file is not reported again" _said_once 'nm-ib: .*50-a.conf'
expect_up x
check "ib0, up again: the quirk file is not reported again" _said_once 'nm-ib: .*50-a.conf'
expect_nm_alive
