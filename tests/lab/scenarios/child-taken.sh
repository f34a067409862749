# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a child that the administrator sets to unmanaged stays, with its addresses
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself
. ./lib.sh
fabric
nm_start
child c ib0 0x8002 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up c
must nmcli device set ib0.8002 managed no
must ip address add 192.0.2.9/24 dev ib0.8002
check "ib0.8002: stays with both addresses while it is unmanaged" never 8 eval "! ip -br address show dev ib0.8002 | grep -F '192.0.2.1/24 192.0.2.9/24'"
expect_state ib0.8002 unmanaged
expect_no_journal 'had left it behind'
must nmcli device set ib0.8002 managed yes
expect_up c
expect_down c
expect_no_link ib0.8002
expect_nm_alive
