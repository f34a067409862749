# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: NetworkManager does this by itself, and nm-ib removes no P_Key child: taken by the administrator, activated again, without a carrier
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: passes
. ./lib.sh
fabric
printf '[device]\ncarrier-wait-timeout=25000\n' >/etc/NetworkManager/conf.d/wait.conf
nm_start

note "a child that the administrator sets to unmanaged stays, with its addresses"
child c ib0 0x8002 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up c
must nmcli device set ib0.8002 managed no
must ip address add 192.0.2.9/24 dev ib0.8002
has_both() { prints '192.0.2.1/24 192.0.2.9/24' ip -br address show dev ib0.8002; }
check "ib0.8002: stays with both addresses while it is unmanaged" never 8 not has_both
expect_state ib0.8002 unmanaged
expect_no_journal 'had left it behind'
must nmcli device set ib0.8002 managed yes

note "a child is activated again while it is up: the earlier event 'down' does not remove the child"
expect_up c
for _ in 1 2 3; do
    expect_up c
    check "ib0.8002: stays when it is activated again" stays test -e $NET/ib0.8002
    expect_state ib0.8002 connected
done
expect_down c
expect_no_link ib0.8002
expect_no_journal 'had left it behind'

note "a child whose second activation waits for a carrier is not removed"
child w ib0 0x8002 transport-mode datagram ipv4.method auto
port_state mlx4_0 1 init
must nmcli -w 0 connection up w
expect_state ib0.8002 "connecting (getting IP configuration)"
must nmcli -w 0 connection up w
check "ib0.8002: stays while its second activation waits for a carrier" never "$(has plugin && echo 12 || echo 6)" test ! -e $NET/ib0.8002
port_state mlx4_0 1 active
expect_carrier ib0.8002 1
expect_state ib0.8002 "connecting (getting IP configuration)"
expect_down w
expect_no_link ib0.8002
expect_no_journal 'had left it behind'
expect_nm_alive
