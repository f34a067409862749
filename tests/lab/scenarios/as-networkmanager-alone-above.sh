# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: NetworkManager does this by itself, and nm-ib does not interfere: DHCP's MTU, a VRF, a tunnel and a bond above ports, profiles in memory
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

note "ports of a bond: the bond's MTU, not the port's, in both modes"
for mtu in 2044 4092 65520; do
    mode=datagram
    [ $mtu != 65520 ] || mode=connected
    must nmcli connection add type bond con-name bond ifname bond0 autoconnect no bond.options mode=active-backup 802-3-ethernet.mtu $mtu \
        ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
    profile b ifname ib0 transport-mode $mode mtu 3000 connection.master bond0 connection.slave-type bond
    expect_up b
    expect_mode ib0 $mode
    check "bond with MTU $mtu: its port has it" eventually mtus "$mtu $mtu" $NET/bond0/mtu $NET/ib0/mtu
    check "bond with MTU $mtu: its port keeps it" stays mtus "$mtu $mtu" $NET/bond0/mtu $NET/ib0/mtu
    must nmcli connection delete b bond
done

note "a profile in memory, and a volatile one"
must nmcli connection add save no type infiniband con-name m ifname ib0 autoconnect no transport-mode connected mtu 65520 \
    ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
expect_up m
expect_mode ib0 connected
expect_mtu ib0 65520
check "in memory: reapply succeeds" nmcli device reapply ib0
check "in memory: the MTU stays" stays file_is 65520 $NET/ib0/mtu
nm_restart
expect_state ib0 connected
check "in memory: the MTU stays after a restart of the daemon" stays file_is 65520 $NET/ib0/mtu
nmcli connection delete m
volatile() {
    local device
    device=$(busctl call org.freedesktop.NetworkManager /org/freedesktop/NetworkManager org.freedesktop.NetworkManager GetDeviceByIpIface s ib0 | cut -d'"' -f2)
    busctl call org.freedesktop.NetworkManager /org/freedesktop/NetworkManager org.freedesktop.NetworkManager AddAndActivateConnection2 \
        'a{sa{sv}}ooa{sv}' 4 connection 2 id s vol type s infiniband infiniband 2 transport-mode s datagram mtu u 2044 \
        ipv4 1 method s link-local ipv6 1 method s disabled "$device" / 1 persist s volatile
}
check "volatile: is activated" volatile
expect_state ib0 connected
expect_mode ib0 datagram
expect_mtu ib0 2044
expect_down vol
check "volatile: no profile is left" nm_eventually prints_no vol nmcli -g NAME connection

note "profiles exchanged while the daemon is down"
profile one ifname ib0 autoconnect yes transport-mode datagram mtu 2044 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up one
nm_stop
must sed -i 's/^mtu=.*/mtu=65520/; s/^transport-mode=.*/transport-mode=connected/; s/^uuid=.*/uuid=c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001/; s/^id=.*/id=two/' \
    /etc/NetworkManager/system-connections/one.nmconnection
nm_start
check "exchanged: the mode and the MTU of before stay until an activation" stays mtus "datagram 2044" $NET/ib0/mode $NET/ib0/mtu
expect_up two
expect_mode ib0 connected
expect_mtu ib0 65520
expect_nm_alive
