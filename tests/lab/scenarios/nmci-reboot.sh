# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a port and its child get their addresses by DHCP, and again after a reboot
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself; the scenario guards that nm-ib does not interfere
# files: dhcp.py
# The part of NetworkManager-ci's features/scenarios/infiniband.feature that needs a reboot.
. ./lib.sh
if [ "$PHASE" = 1 ]; then
    fabric
    dhcp_side
    nm_start
    note "inf_enable_after_reboot, inf_internal_dhcp"
    must nmcli connection add type infiniband con-name inf ifname ib0
    must nmcli connection add type infiniband con-name inf.8002 ifname ib0.8002 parent ib0 p-key 0x8002
    expect_up inf
    expect_up inf.8002
    expect_address ib0 192.0.2.77
    expect_address ib0.8002 198.51.100.77
    must systemctl enable NetworkManager
    hca_at_boot
    reboot_guest
fi

dhcp_side
must systemctl start NetworkManager
expect_address ib0 192.0.2.77
expect_address ib0.8002 198.51.100.77
expect_state ib0 connected
expect_state ib0.8002 connected
expect_no_journal 'not possible|was requested'
expect_nm_alive
expect_clean_kernel_log
