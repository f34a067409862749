# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a child whose second activation waits for a carrier is not removed
# with: plugin+dispatcher plugin dispatcher
# alone: NetworkManager does this by itself
. ./lib.sh
fabric
echo '[device]
carrier-wait-timeout=25000' >/etc/NetworkManager/conf.d/wait.conf
nm_start
child c ib0 0x8002 transport-mode datagram ipv4.method auto
port_state mlx4_0 1 init
must nmcli -w 0 connection up c
expect_state ib0.8002 "connecting (getting IP configuration)"
must nmcli -w 0 connection up c
check "ib0.8002: stays while its second activation waits for a carrier" never "$(has plugin && echo 12 || echo 6)" test ! -e $NET/ib0.8002
port_state mlx4_0 1 active
expect_carrier ib0.8002 1
expect_state ib0.8002 "connecting (getting IP configuration)"
expect_down c
expect_no_link ib0.8002
expect_no_journal 'had left it behind'
