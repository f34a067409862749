# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a profile corrected to the MTU that is in effect has the last word, also when the subnet allows more later
# with: plugin+dispatcher (plugin)
# every: 1
# releases: bookworm trixie
# alone: the MTU that was asked for first comes back
. ./lib.sh
fabric ports=1 active_mtu=4096 group_mtu=2048
nm_start
group() { # what the next broadcast group allows, and a flap that makes it
    echo "$1" >/sys/module/softhca/parameters/group_mtu
    port_state mlx4_0 1 down
    expect_carrier ib0 0
    port_state mlx4_0 1 active
    expect_carrier ib0 1
}
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 2044
group 4096
expect_mtu ib0 4092
group 2048
expect_mtu ib0 2044
modify x infiniband.mtu 2044
check "reapply of the corrected profile" nmcli device reapply ib0
expect_mtu ib0 2044
group 4096
sleep 2 # the kernel itself goes back to what it was asked for first, for a moment
check "the profile's MTU holds" never 2 eval "! is \"\$(cat $NET/ib0/mtu)\" 2044"
expect_profile_kept x
expect_state ib0 connected
expect_nm_alive
