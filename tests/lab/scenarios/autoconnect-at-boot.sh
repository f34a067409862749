# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: after a real reboot the profiles autoconnect with their modes and MTUs, also a port and its child with DHCP
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: modes, MTUs and addresses as here, TSO on
# files: dhcp.py
# Has the part of NetworkManager-ci's features/scenarios/infiniband.feature that needs a reboot.
. ./lib.sh
knobs=name=mlx4_0,mlx4_1
dhcp() {
    expect_address ib2 192.0.2.77
    expect_address ib2.8002 198.51.100.77
}
if [ "$PHASE" = 1 ]; then
    fabric $knobs
    dhcp_side
    nm_start
    profile x ifname ib0 transport-mode connected mtu 65520 connection.autoconnect yes ipv4.method manual \
        ipv4.addresses 203.0.113.1/24
    child c ib0 0x8002 transport-mode datagram connection.autoconnect yes ipv4.method manual \
        ipv4.addresses 203.0.113.129/25
    note "inf_enable_after_reboot, inf_internal_dhcp"
    must nmcli connection add type infiniband con-name inf ifname ib2
    must nmcli connection add type infiniband con-name inf.8002 ifname ib2.8002 parent ib2 p-key 0x8002
    expect_up inf
    expect_up inf.8002
    dhcp
    must systemctl enable NetworkManager
    # the soft HCAs are there before NetworkManager, like the driver of a real HCA
    hca_at_boot $knobs
    reboot_guest
fi

dhcp_side
must systemctl start NetworkManager
expect_state ib0 connected
expect_mode ib0 connected
expect_mtu ib0 65520
expect_state ib0.8002 connected
expect_mode ib0.8002 datagram
expect_mtu ib0.8002 2044
expect_tso ib0.8002 off
expect_tso ib0 off
dhcp
expect_state ib2 connected
expect_state ib2.8002 connected
expect_no_journal 'not possible|was requested'
expect_nm_alive
expect_clean_kernel_log
