# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: ports of a bond with an automatic MTU keep the bond's MTU
# with: plugin+dispatcher dispatcher plugin
# releases: bookworm trixie
# alone: NetworkManager does this by itself
. ./lib.sh
fabric active_mtu=4096 group_mtu=4096
nm_start
must nmcli connection add type bond con-name bond ifname bond0 autoconnect no bond.options mode=active-backup 802-3-ethernet.mtu 3000 \
    ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
for port in ib0 ib1; do
    must nmcli connection add type infiniband con-name "$port" ifname $port autoconnect no transport-mode datagram \
        connection.master bond0 connection.slave-type bond
    expect_up "$port"
done
expect_state bond0 connected
for link in bond0 ib0 ib1; do expect_mtu $link 3000; done
check "ib0 and ib1: keep the bond's MTU" never 3 eval "! is \"\$(cat $NET/ib0/mtu) \$(cat $NET/ib1/mtu)\" '3000 3000'"
check "ib0: reapply succeeds" nmcli device reapply ib0
check "ib0 and ib1: keep the bond's MTU after the reapply" never 3 eval "! is \"\$(cat $NET/ib0/mtu) \$(cat $NET/ib1/mtu)\" '3000 3000'"
expect_nm_alive
