# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a bond of IPoIB ports has their type and address, but is no port: its events and its MTU are ignored
# with: plugin+dispatcher+cli dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx5_0 ports=1 driver=mlx4_core,mlx5_core enhanced=0,1
printf '[main]\nlog-level=debug\n' >/etc/nm-infiniband/nm-ib.conf
nm_start
must nmcli connection add type bond con-name bond ifname bond0 autoconnect no bond.options mode=active-backup,miimon=100 \
    ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
journal_mark
for port in ib0 ib1; do
    must nmcli connection add type infiniband con-name "$port" ifname $port autoconnect no transport-mode datagram \
        connection.master bond0 connection.slave-type bond
    expect_up "$port"
    check "$port: the kernel reports the link kind ipoib" prints -E '\bipoib\b' ip -d link show $port
    check "$port: nm-ib plan succeeds" nm-ib plan $port
done
expect_state bond0 connected
check "bond0: has the link type of its ports" is "$(cat $NET/bond0/type)" 32
mtu=$(cat $NET/bond0/mtu)
check "nm-ib plan bond0: refused as not an InfiniBand interface" refused_with 1 'Error: bond0: not an InfiniBand interface' nm-ib plan bond0
expect_journal 'nm-ib: bond0: not an InfiniBand interface, or does not exist'
check "bond0: no state file exists" no_file '/run/NetworkManager/nm-infiniband/*-bond0'
expect_mtu bond0 "$mtu"
expect_nm_alive
