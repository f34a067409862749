# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an edit that was not applied, and what was set by hand, change nothing after a flap or a restart
# with: plugin+dispatcher plugin dispatcher none
# releases: bookworm (trixie)
# alone: passes: NetworkManager alone is the model
. ./lib.sh
fabric active_mtu=4096 group_mtu=4096
nm_start
at() { is "$(<$NET/ib0/mode) $(<$NET/ib0/mtu)" "$1"; }
flap() {
    port_state mlx4_0 1 down
    expect_carrier ib0 0
    port_state mlx4_0 1 active
    expect_carrier ib0 1
}
profile x ifname ib0 transport-mode datagram mtu 2044 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
check "ib0: has the mode and MTU of the profile" eventually at "datagram 2044"

must nmcli connection modify x infiniband.mtu 4092
flap
check "MTU edited, not applied: stays 2044 after a carrier flap" stays at "datagram 2044"

must nmcli connection modify x transport-mode connected infiniband.mtu 65520
before=$(cat $NET/ib0/carrier_changes)
nm_restart
expect_state ib0 connected
check "mode edited, not applied: stays datagram after a restart of the daemon" stays at "datagram 2044"

must ip link set ib0 mtu 1800
nm_restart
expect_state ib0 connected
check "MTU set by hand: stays 1800 after a restart of the daemon" stays at "datagram 1800"
check "ib0: the link was not taken down" is "$(cat $NET/ib0/carrier_changes)" "$before"
expect_up x
check "profile activated: the edited mode and MTU are in effect" eventually at "connected 65520"

must sh -c "echo datagram >$NET/ib0/mode"
now="datagram $(cat $NET/ib0/mtu)"
nm_restart
expect_state ib0 connected
check "mode set by hand: stays after a restart of the daemon" stays at "$now"

# An event behind a slow script is late; what was applied in the meantime stays.
expect_up x
check "profile activated again: ib0 has its mode and MTU" eventually at "connected 65520"
check "nmcli device modify of the MTU succeeds" nmcli device modify ib0 infiniband.mtu 9000
check "nmcli device modify of the MTU: in effect" eventually at "connected 9000"
must env CONNECTION_ID=x CONNECTION_UUID="$(nmcli -g connection.uuid connection show x)" CONNECTION_FILENAME="$(_file x)" \
    sh -c '[ ! -x /usr/libexec/nm-infiniband/nm-ib-dispatcher ] || /usr/libexec/nm-infiniband/nm-ib-dispatcher ib0 up'
check "nmcli device modify of the MTU: stays when the event 'up' comes late" stays at "connected 9000"
expect_nm_alive
