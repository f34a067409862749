# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an automatic MTU: a lower MTU that was set by hand stays after a restart of the daemon
# with: plugin+dispatcher plugin
# alone: the same
. ./lib.sh
fabric active_mtu=4096
nm_start
profile x ifname ib0 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 4092
must ip link set ib0 mtu 1500
nm_restart
expect_state ib0 connected
check "ib0: keeps the MTU set by hand after a restart of the daemon" stays file_is 1500 $NET/ib0/mtu
must nmcli connection modify x infiniband.mtu 2044
check "ib0: reapply with MTU 2044 succeeds" nmcli device reapply ib0
expect_mtu ib0 2044
must nmcli connection modify x infiniband.mtu auto
check "ib0: reapply with an automatic MTU succeeds" nmcli device reapply ib0
check "ib0: keeps MTU 2044 after the reapply with an automatic MTU" stays file_is 2044 $NET/ib0/mtu
expect_nm_alive
