# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: name set --now: a port of a bond gets its name, the bond stays up and has its primary port again
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
nm_start
BOND=$NET/bond0/bonding
must nmcli connection add type bond con-name bond ifname bond0 autoconnect no bond.options mode=active-backup,primary=ib0,miimon=100 \
    ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
for port in ib0 ib1; do
    must nmcli connection add type infiniband con-name "$port" ifname $port autoconnect yes transport-mode datagram \
        connection.master bond0 connection.slave-type bond
    expect_up "$port"
done
expect_state bond0 connected
check "bond0: the primary port ib0 is active" eventually file_is ib0 $BOND/active_slave
journal_mark
check "name set --now, primary port: succeeds" nm-ib name set ib0 mlx4_ib0 --now --no-initramfs
expect_state mlx4_ib0 connected
check "mlx4_ib0: is a port of the bond again" eventually grep -w mlx4_ib0 "$BOND"/slaves
check "mlx4_ib0: is the primary port" eventually_is mlx4_ib0 sed 's/ .*//' $BOND/primary
check "mlx4_ib0: is the active port" eventually file_is mlx4_ib0 $BOND/active_slave
check "name set --now, other port: succeeds" nm-ib name set ib1 mlx4_ib1 --now --no-initramfs
expect_state mlx4_ib1 connected
check "mlx4_ib1: is a port of the bond again" eventually grep -w mlx4_ib1 "$BOND"/slaves
expect_state bond0 connected
expect_no_journal 'device \(bond0\): state change: activated ->'
expect_nm_alive
