# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: NetworkManager does this by itself, and nm-ib does not interfere: connected mode, a P_Key child in both modes, ports of a bond
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: passes
. ./lib.sh
fabric
peer ib1 connected 192.0.2.2/24 2001:db8::2/64
peer_child ib1 0x8002 kid 198.51.100.2/24
rename_link ib0 mlx4_ib0
nm_start

note "the documented command line: connected mode with static addresses"
must nmcli connection add type infiniband con-name mlx4_ib0 ifname mlx4_ib0 transport-mode Connected mtu 65520
modify mlx4_ib0 ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method manual ipv6.addresses 2001:db8::1/64
expect_up mlx4_ib0
expect_mode mlx4_ib0 connected
expect_mtu mlx4_ib0 65520
expect_state mlx4_ib0 connected
expect_ping 192.0.2.2 65000
expect_ping 2001:db8::2 65000
expect_profile_kept mlx4_ib0
expect_no_journal 'not possible|MTU .* was requested'
expect_down mlx4_ib0
must ip link set mlx4_ib0 down
echo datagram >$NET/mlx4_ib0/mode

note "a P_Key child in both modes, MTU automatic and explicit, with data over its partition"
kid=mlx4_ib0.8002
child c mlx4_ib0 0x8002 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.100.1/24
expect_up c
expect_pkey $kid 0x8002
expect_mode $kid datagram
expect_mtu $kid 2044
expect_ping 198.51.100.2 2016
expect_down c
expect_no_link $kid
modify c infiniband.transport-mode connected infiniband.mtu auto
expect_up c
expect_mode $kid connected
expect_mtu $kid 65520
modify c infiniband.mtu 9000
expect_up c
expect_mtu $kid 9000
expect_ping 198.51.100.2
check "mlx4_ib0: the mode of the child does not change the mode of the parent" file_is datagram $NET/mlx4_ib0/mode
expect_profile_kept c
expect_down c
expect_no_link $kid

note "ports of a bond with an automatic MTU keep the bond's MTU"
fabric_unload
fabric active_mtu=4096 group_mtu=4096
must nmcli connection add type bond con-name bond ifname bond0 autoconnect no bond.options mode=active-backup 802-3-ethernet.mtu 3000 \
    ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
for port in ib0 ib1; do
    must nmcli connection add type infiniband con-name "$port" ifname $port autoconnect no transport-mode datagram \
        connection.master bond0 connection.slave-type bond
    expect_up "$port"
done
expect_state bond0 connected
for link in bond0 ib0 ib1; do expect_mtu $link 3000; done
mtus() { is "$(<$NET/ib0/mtu) $(<$NET/ib1/mtu)" '3000 3000'; }
check "ib0 and ib1: keep the bond's MTU" stays mtus
check "ib0: reapply succeeds" nmcli device reapply ib0
check "ib0 and ib1: keep the bond's MTU after the reapply" stays mtus
expect_nm_alive
