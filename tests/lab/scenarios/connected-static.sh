# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the documented command line: connected mode with static addresses
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: NetworkManager does this by itself; the scenario guards that nm-ib does not interfere
. ./lib.sh
fabric
peer ib1 connected 192.0.2.2/24 2001:db8::2/64
rename_link ib0 mlx4_ib0
nm_start
must nmcli connection add type infiniband con-name mlx4_ib0 ifname mlx4_ib0 transport-mode Connected mtu 65520
modify mlx4_ib0 ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method manual ipv6.addresses 2001:db8::1/64
expect_up mlx4_ib0
expect_mode mlx4_ib0 connected
expect_mtu mlx4_ib0 65520
expect_state mlx4_ib0 connected
expect_ping 192.0.2.2 65000
expect_ping 2001:db8::2 65000
expect_profile_kept mlx4_ib0
expect_no_journal 'not possible|MTU .* was requested'
expect_nm_alive
