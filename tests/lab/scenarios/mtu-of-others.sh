# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an MTU from a .link file, set by hand, or of before the activation is what NetworkManager alone leaves it at
# with: none plugin+dispatcher plugin dispatcher
# every: 1
# releases: bookworm trixie
# alone: passes: NetworkManager alone is the model
. ./lib.sh
mkdir -p /etc/systemd/network
printf '[Match]\nOriginalName=ib0\n[Link]\nMTUBytes=1700\n' >/etc/systemd/network/10-mtu.link
udevadm control --reload
sleep 1
fabric active_mtu=4096 group_mtu=4096
mtu() { is "$(cat $NET/ib0/mtu)" "$1"; }
must ip link set ib0 up
check "the .link file's MTU" eventually mtu 1700
nm_start
profile a ifname ib0 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up a
check "an automatic MTU leaves it" never 4 not mtu 1700
must ip link set ib0 mtu 1500
port_state mlx4_0 1 down
expect_carrier ib0 0
port_state mlx4_0 1 active
expect_carrier ib0 1
check "one set by hand stays through a flap" never 4 not mtu 1500
check "reapply" nmcli device reapply ib0
check "  leaves it" never 2 not mtu 1500
expect_down a
check "the MTU of before comes back or stays" never 2 not mtu 1500

profile n ifname ib0 transport-mode datagram mtu 2000 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up n
check "a number is set" eventually mtu 2000
must ip link set ib0 mtu 1600
port_state mlx4_0 1 down
expect_carrier ib0 0
port_state mlx4_0 1 active
expect_carrier ib0 1
check "one set by hand stays through a flap" never 4 not mtu 1600
for set in "mtu 2040" "mtu 2044" "mtu 4092"; do
    must ip link set ib0 down
    must ip link set ib0 $set
    must ip link set ib0 up
    expect_carrier ib0 1
    check "one set by hand while the link is down stays: $set" never 4 not mtu "${set#mtu }"
done
must ip link set ib0 down
echo connected >$NET/ib0/mode
must ip link set ib0 mtu 65520
must ip link set ib0 up
expect_carrier ib0 1
check "connected mode and its MTU, set by hand while the link is down, stay" never 4 not mtu 65520
echo datagram >$NET/ib0/mode
must nmcli connection up n
must ip link set ib0 mtu 1600
expect_down n
check "the MTU of before comes back" eventually mtu 1500

must nmcli connection modify n infiniband.mtu 65520
mkdir -p /etc/NetworkManager/dispatcher.d/pre-up.d
printf '#!/bin/sh\nip link set ib0 mtu 1800\n' >/etc/NetworkManager/dispatcher.d/pre-up.d/50-mtu
chmod 755 /etc/NetworkManager/dispatcher.d/pre-up.d/50-mtu
expect_up n
check "one set by a script during the activation stays" never 3 not mtu 1800
expect_nm_alive
