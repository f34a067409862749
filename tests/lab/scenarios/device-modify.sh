# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nmcli device modify changes the running device, not the profile
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 2044
check "nmcli device modify adds an address" nmcli device modify ib0 +ipv4.addresses 192.0.2.7/24
check "ib0: has the added address" eventually eval "ip -4 -br address show ib0 | grep -q 192.0.2.7/24"
expect_mtu ib0 2044
check "nmcli device reapply succeeds" nmcli device reapply ib0
check "ib0: the reapply has removed the added address" eventually eval "! ip -4 -br address show ib0 | grep -q 192.0.2.7/24"
expect_mtu ib0 2044
expect_tso ib0 off
expect_profile_kept x
expect_nm_alive
