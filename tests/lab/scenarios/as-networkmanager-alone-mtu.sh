# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: NetworkManager does this by itself, and nm-ib does not interfere: MTUs of datagram mode, device modify, a rollback
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: passes, with TSO on
. ./lib.sh
fabric
peer ib1 datagram 192.0.2.2/24
nm_start
# up_again MTU: x, modified, has this MTU
up_again() {
    expect_down x
    expect_up x
    expect_mtu ib0 "$1"
}

note "datagram on a 2048 fabric: MTU 2044, explicit and automatic"
profile x ifname ib0 transport-mode datagram mtu 2044 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mode ib0 datagram
expect_mtu ib0 2044
expect_ping 192.0.2.2 2016
modify x infiniband.mtu auto
up_again 2044
expect_no_journal 'MTU .* was requested'

note "nmcli device modify changes the running device, not the profile"
modify x infiniband.mtu 4092
expect_up x
expect_mtu ib0 2044
check "nmcli device modify adds an address" nmcli device modify ib0 +ipv4.addresses 192.0.2.7/24
check "ib0: has the added address" eventually prints 192.0.2.7/24 ip -4 -br address show ib0
check "ib0: MTU 2044 after the device modify" settled file_is 2044 $NET/ib0/mtu
check "nmcli device reapply succeeds" nmcli device reapply ib0
check "ib0: the reapply has removed the added address" eventually prints_no 192.0.2.7/24 ip -4 -br address show ib0
check "ib0: MTU 2044 after the reapply" settled file_is 2044 $NET/ib0/mtu
expect_tso ib0 off
expect_profile_kept x

note "a rollback restores the mode, the MTU and the TSO of the checkpoint"
NM=org.freedesktop.NetworkManager
call() { gdbus call --system --dest $NM --object-path /org/freedesktop/NetworkManager --method "$NM.$1" "${@:2}"; }
path=$(call CheckpointCreate '[]' 0 0 | grep -o '/org[^'"'"']*')
check "a checkpoint is created" test -n "$path"
expect_down x
expect_state ib0 disconnected
check "the rollback after a deactivation succeeds" call CheckpointRollback "$path"
expect_state ib0 connected
expect_mtu ib0 2044
expect_tso ib0 off
path=$(call CheckpointCreate '[]' 0 0 | grep -o '/org[^'"'"']*')
must nmcli connection modify x infiniband.transport-mode connected infiniband.mtu auto
expect_up x
expect_mode ib0 connected
check "the rollback over a mode change succeeds" call CheckpointRollback "$path"
expect_mode ib0 datagram
expect_mtu ib0 2044
expect_profile_kept x

note "datagram on a 4096 fabric: MTU 4092, explicit and automatic; a lower MTU of the profile is used"
must nmcli connection delete x
fabric_unload
fabric active_mtu=4096
must ip netns delete peer
peer ib1 datagram 192.0.2.2/24
journal_mark
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 4092
expect_ping 192.0.2.2 4064
modify x infiniband.mtu 2044
up_again 2044
modify x infiniband.mtu auto
up_again 4092
expect_no_journal 'MTU .* was requested'

note "an automatic MTU keeps the value from NetworkManager.conf"
printf '[connection]\ninfiniband.mtu=1900\n' >/etc/NetworkManager/conf.d/mtu.conf
must nmcli general reload conf
up_again 1900
check "ib0: keeps the MTU from NetworkManager.conf" stays file_is 1900 $NET/ib0/mtu
expect_nm_alive
