# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: NetworkManager does this by itself, and nm-ib does not interfere: DHCP's MTU, a VRF, a tunnel, a bond above ports
# with: plugin+dispatcher plugin dispatcher none
# releases: bookworm (trixie)
# files: dhcp.py
# alone: passes
. ./lib.sh
fabric active_mtu=4096 group_mtu=4096
peer ib1 datagram 192.0.2.2/24
serve_dhcp ib1 192.0.2.2 192.0.2.77 1500
nm_start
mtus() { is "$(cat "${@:2}" | paste -sd ' ')" "$1"; }

note "the MTU of a DHCP server: for an automatic MTU of the profile"
profile x ifname ib0 transport-mode datagram ipv4.method auto ipv4.may-fail no
expect_up x
expect_address ib0 192.0.2.77
expect_mtu ib0 1500
check "automatic MTU: the server's MTU stays" stays file_is 1500 $NET/ib0/mtu
port_state mlx4_0 1 down
expect_carrier ib0 0
port_state mlx4_0 1 active
expect_carrier ib0 1
check "automatic MTU: the server's MTU stays after a flap" stays file_is 1500 $NET/ib0/mtu
check "automatic MTU: reapply succeeds" nmcli device reapply ib0
check "automatic MTU: the server's MTU stays after a reapply" stays file_is 1500 $NET/ib0/mtu
expect_down x
modify x infiniband.mtu 3000
expect_up x
expect_address ib0 192.0.2.77
check "MTU 3000 in the profile: stays" stays file_is 3000 $NET/ib0/mtu
modify x infiniband.mtu 65520
expect_up x
expect_address ib0 192.0.2.77
check "MTU 65520 in the profile, more than datagram mode allows: 4092" stays file_is 4092 $NET/ib0/mtu
expect_down x
must nmcli connection delete x

note "a port in a VRF, in connected mode"
must nmcli connection add type vrf con-name v ifname vrf0 table 100 autoconnect no ipv4.method disabled ipv6.method disabled
profile p ifname ib0 transport-mode connected mtu 65520 connection.master vrf0 connection.slave-type vrf \
    ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up p
expect_mode ib0 connected
expect_mtu ib0 65520
check "vrf0: its port is ib0" prints ib0 ip link show master vrf0
check "ping in the VRF: answered" eventually ping -n -c 2 -i 0.2 -W 2 -I vrf0 192.0.2.2
expect_down p
must nmcli connection delete p v

note "a tunnel over a port: its MTU follows the port's at its activation"
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
must nmcli connection add type ip-tunnel con-name t ifname tun1 mode gre remote 192.0.2.2 local 192.0.2.1 ip-tunnel.parent ib0 autoconnect no \
    ipv4.method manual ipv4.addresses 198.51.100.1/24 ipv6.method disabled
expect_up t
expect_mtu tun1 4068
port_state mlx4_0 1 down
expect_carrier ib0 0
port_state mlx4_0 1 active
expect_carrier ib0 1
check "tun1 and ib0: keep their MTUs after a flap" stays mtus "4068 4092" $NET/tun1/mtu $NET/ib0/mtu
expect_down t
must nmcli connection delete t x

note "ports of a bond: the bond's MTU in both modes; a port with an MTU of its own keeps it"
for mtu in 2044 4092 65520; do
    mode=datagram
    [ $mtu != 65520 ] || mode=connected
    must nmcli connection add type bond con-name bond ifname bond0 autoconnect no bond.options mode=active-backup 802-3-ethernet.mtu $mtu \
        ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
    profile b ifname ib0 transport-mode $mode connection.master bond0 connection.slave-type bond
    expect_up b
    expect_mode ib0 $mode
    check "bond with MTU $mtu: its port has it" eventually mtus "$mtu $mtu" $NET/bond0/mtu $NET/ib0/mtu
    modify b infiniband.mtu 1900
    expect_up b
    check "bond with MTU $mtu: a port with MTU 1900 keeps it" stays mtus "$mtu 1900" $NET/bond0/mtu $NET/ib0/mtu
    must nmcli connection delete b bond
done
expect_nm_alive
