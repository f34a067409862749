# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an MTU from a .link file, set by hand, or from before the activation stays as with NetworkManager alone
# with: plugin+dispatcher plugin dispatcher none
# releases: bookworm (trixie)
# alone: passes: NetworkManager alone is the model
. ./lib.sh
mkdir -p /etc/systemd/network
printf '[Match]\nOriginalName=ib0\n[Link]\nMTUBytes=1700\n' >/etc/systemd/network/10-mtu.link
udevadm control --reload
sleep 1
fabric active_mtu=4096 group_mtu=4096
mtu() { file_is "$1" $NET/ib0/mtu; }
must ip link set ib0 up
check "ib0: has the MTU of the .link file" eventually mtu 1700
nm_start
profile a ifname ib0 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up a
check "automatic MTU: keeps the MTU of the .link file" stays mtu 1700
must ip link set ib0 mtu 1500
port_state mlx4_0 1 down
expect_carrier ib0 0
port_state mlx4_0 1 active
expect_carrier ib0 1
check "automatic MTU: an MTU set by hand stays after a carrier flap" stays mtu 1500
check "automatic MTU: reapply succeeds" nmcli device reapply ib0
check "automatic MTU: an MTU set by hand stays after a reapply" stays mtu 1500
expect_down a
check "automatic MTU: an MTU set by hand stays after down" stays mtu 1500

profile n ifname ib0 transport-mode datagram mtu 2000 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up n
check "MTU 2000 in the profile: set by the activation" eventually mtu 2000
must ip link set ib0 mtu 1600
port_state mlx4_0 1 down
expect_carrier ib0 0
port_state mlx4_0 1 active
expect_carrier ib0 1
check "MTU 2000 in the profile: an MTU set by hand stays after a carrier flap" stays mtu 1600
for set in "mtu 2040" "mtu 2044" "mtu 4092"; do
    must ip link set ib0 down
    must ip link set ib0 $set
    must ip link set ib0 up
    expect_carrier ib0 1
    check "MTU 2000 in the profile: set by hand while the link is down, $set stays" stays mtu "${set#mtu }"
done
must ip link set ib0 down
echo connected >$NET/ib0/mode
must ip link set ib0 mtu 65520
must ip link set ib0 up
expect_carrier ib0 1
check "mode and MTU: connected and 65520, set by hand while the link is down, stay" stays mtu 65520
echo datagram >$NET/ib0/mode
must nmcli connection up n
must ip link set ib0 mtu 1600
expect_down n
check "MTU 2000 in the profile: down restores the MTU from before" eventually mtu 1500

must nmcli connection modify n infiniband.mtu 65520
mkdir -p /etc/NetworkManager/dispatcher.d/pre-up.d
printf '#!/bin/sh\nip link set ib0 mtu 1800\n' >/etc/NetworkManager/dispatcher.d/pre-up.d/50-mtu
chmod 755 /etc/NetworkManager/dispatcher.d/pre-up.d/50-mtu
expect_up n
check "MTU 65520 in the profile: an MTU set by a pre-up script stays" stays mtu 1800
expect_down n
echo 'sleep 2' >>/etc/NetworkManager/dispatcher.d/pre-up.d/50-mtu
expect_up n
check "MTU 65520 in the profile: an MTU set by a pre-up script that takes 2 s stays" stays mtu 1800
expect_nm_alive
