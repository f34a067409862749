# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a rollback restores the mode, the MTU and the TSO of the checkpoint
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 2044
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
expect_nm_alive
