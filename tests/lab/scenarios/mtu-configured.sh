# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an automatic MTU keeps the value from NetworkManager.conf
# with: plugin+dispatcher dispatcher
# alone: NetworkManager does this by itself
. ./lib.sh
fabric active_mtu=4096
echo '[connection]
infiniband.mtu=1900' >/etc/NetworkManager/conf.d/mtu.conf
nm_start
profile x ifname ib0 transport-mode datagram ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 1900
check "ib0: keeps the MTU from NetworkManager.conf" never 3 eval "! is \"\$(cat $NET/ib0/mtu)\" 1900"
