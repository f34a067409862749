# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a rollback removes a partition whose activation waits for a carrier
# with: plugin+dispatcher plugin
# releases: bookworm (trixie)
# alone: the profile is gone, mlx4_ib0.8009 stays
. ./lib.sh
fabric
rename_link ib0 mlx4_ib0
printf '[device]\ncarrier-wait-timeout=9000\n' >/etc/NetworkManager/conf.d/wait.conf # time for the steps below
nm_start
NM=org.freedesktop.NetworkManager
call() { gdbus call --system --dest $NM --object-path /org/freedesktop/NetworkManager --method "$NM.$1" "${@:2}"; }
# Like the network role: delete new profiles, disconnect new devices.
path=$(call CheckpointCreate '[]' 0 6 | grep -o '/org[^'"'"']*')
check "a checkpoint is created" test -n "$path"
new_child() {
    must nmcli connection add type infiniband con-name "$1" infiniband.parent mlx4_ib0 infiniband.p-key "$2" \
        infiniband.transport-mode datagram ipv6.method disabled
}
new_child c 0x8009
expect_link mlx4_ib0.8009
sleep 1 # Only when NetworkManager sees no carrier, the next request is queued; but before carrier-wait-timeout is over.
must nmcli -w 0 connection up c
expect_state mlx4_ib0.8009 disconnected
check "the rollback succeeds" call CheckpointRollback "$path"
check "the rollback removes the profile" eventually not nmcli connection show c
expect_no_link mlx4_ib0.8009
[ "$PARTS" = none ] || expect_journal 'nm-ib: .*mlx4_ib0.8009: P_Key child removed: NetworkManager had left it behind'
expect_state mlx4_ib0 disconnected

# nm-ib ignores the child of a profile with skip=yes; NetworkManager leaves this child behind.
new_child s 0x800a
words s skip=yes
expect_link mlx4_ib0.800a
sleep 1
must nmcli -w 0 connection up s
expect_state mlx4_ib0.800a disconnected
must nmcli connection delete s
check "the child of a profile with skip=yes stays" stays test -e $NET/mlx4_ib0.800a
expect_nm_alive
