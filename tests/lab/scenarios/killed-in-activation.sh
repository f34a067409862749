# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the daemon is killed at each stage of an activation and of a deactivation: the next start is a normal one
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: the same, with TSO on
. ./lib.sh
fabric
nm_start
nm_crash KILL # from now on, nothing restarts it
nm_start
profile x ifname ib0 transport-mode connected mtu 65520 ipv4.method manual ipv4.addresses 192.0.2.1/24
profile y ifname ib0 transport-mode datagram mtu 2044 ipv4.method manual ipv4.addresses 192.0.2.1/24
child c ib0 0x8002 transport-mode connected mtu 65520 ipv4.method manual ipv4.addresses 198.51.100.1/24

# killed_at STATE COMMAND...: the daemon is killed when the device has this state
killed_at() {
    journalctl -fn0 -o cat -u NetworkManager | grep -qm1 -- "state change: .* -> $1 " &
    local seen=$!
    pause 0.5
    "${@:2}" >/dev/null 2>&1 &
    local command=$!
    wait $seen
    pkill -KILL -x NetworkManager
    wait $command
    must eventually ends 3 systemctl is-active NetworkManager
    systemctl reset-failed NetworkManager
    nm_start
}
for state in prepare config ip-config ip-check secondaries activated; do
    note "killed at $state"
    nm_restart # a start that ends by itself: after three that do not, the plugin stays off
    killed_at $state nmcli connection up x
    ! has plugin || expect_no_journal 'plugin.*not loaded'
    expect_up y
    expect_mode ib0 datagram
    expect_mtu ib0 2044
    expect_tso ib0 off
    killed_at $state nmcli connection up c
    expect_up c
    expect_mode ib0.8002 connected
    expect_mtu ib0.8002 65520
    expect_down c
    expect_no_link ib0.8002
    check "ib0: keeps the mode and MTU of y" stays file_is 2044 $NET/ib0/mtu
done
note "killed at deactivating"
nm_restart
expect_up c
killed_at deactivating nmcli connection down c
killed_at deactivating nmcli connection down y
expect_up x
expect_mode ib0 connected
expect_mtu ib0 65520
expect_up c
expect_down c
expect_no_link ib0.8002
! has plugin || expect_no_journal 'plugin.*not loaded'
check "NetworkManager is running" systemctl is-active NetworkManager
