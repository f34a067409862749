# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an MTU stays with whom it belongs to: ipv6.mtu, a pre-up script, a change by hand, a corrected profile
# with: plugin+dispatcher plugin
# releases: bookworm trixie
# alone: passes but for the corrected profile, whose MTU rises with the group
. ./lib.sh
fabric ports=1 active_mtu=4096 group_mtu=2048
nm_start
mtu() { file_is "$1" $NET/ib0/mtu; }
ipv6_mtu() { file_is "$1" /proc/sys/net/ipv6/conf/ib0/mtu; }
group() { # group MTU: a new broadcast group, as a subnet manager that restarts makes it: the carrier stays
    echo "$1" >/sys/module/softhca/parameters/group_mtu
    hca event mlx4_0 1 rereg
}
profile v ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24 \
    ipv6.method link-local ipv6.mtu 1400
expect_up v
expect_mtu ib0 2044
expect_down v
expect_up v # at the first activation the kernel itself resets the IPv6 MTU, after NetworkManager
check "MTU 4092 of which the subnet grants 2044: ipv6.mtu of the profile stays" stays ipv6_mtu 1400
expect_down v

profile c ifname ib0 transport-mode connected mtu 65520 ipv4.method manual ipv4.addresses 192.0.2.1/24
mkdir -p /etc/NetworkManager/dispatcher.d/pre-up.d
script=/etc/NetworkManager/dispatcher.d/pre-up.d/50-mtu
printf '#!/bin/sh\nip link set ib0 mtu 9000\n' >$script
chmod 755 $script
for turn in first second third; do
    expect_up c
    check "connected mode, $turn activation: the MTU of a pre-up script stays" stays mtu 9000
    expect_down c
done
rm $script

profile r ifname ib0 transport-mode datagram mtu 65520 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up r
expect_mtu ib0 2044
must ip link set ib0 mtu 1500
check "MTU by hand: reapply of another address succeeds" nmcli device modify ib0 +ipv4.addresses 192.0.2.2/24
check "MTU by hand: stays after reapply of another address" stays mtu 1500
expect_down r

group 4096
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 4092
group 2048
expect_mtu ib0 2044
expect_journal "nm-ib: .*ib0: MTU 4092 was requested, 2044 is in effect: the broadcast group of the subnet allows no more"
modify x infiniband.mtu 2044
check "corrected profile: reapply succeeds" nmcli device reapply ib0
settle
group 4096
check "corrected profile: its MTU stays with a larger group, without a loss of the carrier" eventually stays mtu 2044
expect_state ib0 connected
expect_nm_alive
