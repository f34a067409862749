# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a bond with an InfiniBand port gets its address by DHCP, and keeps it after a restart of the daemon
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself; the scenario guards that nm-ib does not interfere
# files: dhcp.py
# The part of NetworkManager-ci's features/scenarios/infiniband.feature that needs a bond.
. ./lib.sh
expect_bond() {
    expect_state bond0 connected
    expect_state ib0 connected
    check "bond0: is up" eventually grep -x up $NET/bond0/operstate
    check "bond0: ib0 is the active port" eventually grep -x 'Currently Active Slave: ib0' /proc/net/bonding/bond0
    expect_address bond0 192.0.2.77
}
fabric
dhcp_side
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
expect_no_journal 'not possible|was requested'
expect_nm_alive
expect_clean_kernel_log
