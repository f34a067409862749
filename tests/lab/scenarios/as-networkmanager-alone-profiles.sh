# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: NetworkManager does this by itself, and nm-ib does not interfere: a profile in memory, a volatile one, one that is exchanged meanwhile
# with: plugin+dispatcher plugin dispatcher none
# releases: bookworm (trixie)
# alone: passes
. ./lib.sh
fabric
nm_start
values() { is "$(cat "${@:2}" | paste -sd ' ')" "$1"; }

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
        ipv4 1 method s disabled ipv6 1 method s disabled "$device" / 1 persist s volatile
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
check "exchanged: the mode and the MTU of before stay until an activation" stays values "datagram 2044" $NET/ib0/mode $NET/ib0/mtu
expect_up two
expect_mode ib0 connected
expect_mtu ib0 65520
expect_nm_alive
