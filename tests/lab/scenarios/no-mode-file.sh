# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an interface without a mode file, made over rtnetlink: the journal says why NetworkManager fails
# with: plugin+dispatcher plugin
# releases: bookworm (trixie)
# alone: the activation fails, config-failed, without the reason
. ./lib.sh
fabric
nm_start
must ip link add link ib0 name ib0.8003 type ipoib pkey 0x8003 mode datagram
profile c ifname ib0.8003 infiniband.parent ib0 infiniband.p-key 0x8003 transport-mode datagram \
    ipv4.method manual ipv4.addresses 192.0.2.9/24
journal_mark
expect_no_up c
expect_journal "nm-ib: .*ib0.8003: no 'mode' file"
check "ib0.8003: the child made by hand still exists" test -e $NET/ib0.8003
expect_nm_alive
