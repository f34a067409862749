# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a profile that was corrected to the MTU in effect keeps this MTU, even if the subnet allows more later
# with: plugin+dispatcher plugin
# releases: bookworm trixie
# alone: the MTU of the first version of the profile comes back
. ./lib.sh
fabric ports=1 active_mtu=4096 group_mtu=2048
nm_start
group() { # group MTU: the MTU of the next broadcast group, and a carrier flap that creates this group
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
check "reapply of the corrected profile succeeds" nmcli device reapply ib0
expect_mtu ib0 2044
group 4096
settle # for a moment, the kernel itself returns to the MTU that was set first
check "ib0: keeps the corrected profile's MTU of 2044 when the group allows 4092" stays file_is 2044 $NET/ib0/mtu
expect_profile_kept x
expect_state ib0 connected
expect_nm_alive
