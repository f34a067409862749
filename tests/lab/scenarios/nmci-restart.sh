# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a port in a bond, through a restart of the daemon; a port and its child, through a reboot: all have their addresses by DHCP
# with: plugin+dispatcher (plugin) (dispatcher)
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself; the scenario guards that we do not get in its way
# files: dhcp.py
# Of NetworkManager-ci's features/scenarios/infiniband.feature what needs a bond or a reboot.
. ./lib.sh
other_side() {
    peer ib1 datagram 192.0.2.2/24
    peer_child ib1 0x8002 kid 198.51.100.2/24
    serve_dhcp ib1 192.0.2.2 192.0.2.77
    serve_dhcp kid 198.51.100.2 198.51.100.77
}
expect_bond() {
    expect_state bond0 connected
    expect_state ib0 connected
    check "the bond is up" eventually grep -x up $NET/bond0/operstate
    check "ib0 is the bond's active port" eventually grep -x 'Currently Active Slave: ib0' /proc/net/bonding/bond0
    expect_address bond0 192.0.2.77
}
case $PHASE in
1)
    fabric
    other_side
    nm_start
    note "inf_master_in_bond"
    must nmcli connection add type infiniband con-name inf ifname ib0
    must nmcli connection add type bond con-name bond0 ifname bond0 bond.options mode=active-backup
    must nmcli connection modify inf connection.slave-type bond connection.master bond0
    expect_up inf
    expect_up bond0
    expect_bond
    note "inf_master_in_bond_restart_persistence"
    nm_restart
    expect_bond
    must nmcli connection delete bond0 inf

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
    ;;
2)
    other_side
    must systemctl start NetworkManager
    expect_address ib0 192.0.2.77
    expect_address ib0.8002 198.51.100.77
    expect_state ib0 connected
    expect_state ib0.8002 connected
    expect_no_journal 'not possible|was asked for'
    expect_nm_alive
    expect_clean_kernel_log
    ;;
esac
