# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a removed HCA comes up right when it is back, and its remembered MTU limit does not apply to the new one
# with: plugin+dispatcher plugin
# releases: bookworm (trixie)
# alone: the same, with TSO on and nothing logged about the MTU
. ./lib.sh
fabric active_mtu=4096 group_mtu=2048
nm_start
for port in ib0 ib1; do
    profile $port ifname $port transport-mode datagram mtu 4092 connection.autoconnect yes
    child c-$port $port 0x8002 transport-mode datagram mtu 4092 connection.autoconnect yes
done
come_up() { # come_up MTU
    for link in ib0 ib1 ib0.8002 ib1.8002; do
        expect_state $link connected
        expect_mtu $link "$1"
        expect_tso $link off
    done
}
come_up 2044
check "ib0: the MTU limit is remembered in a state file" eventually test -e /run/NetworkManager/nm-infiniband/mtu-ib0
for group_mtu in 2048 4096; do
    fabric_unload
    expect_no_link ib1.8002
    expect_no_link ib0
    fabric active_mtu=4096 group_mtu=$group_mtu
    come_up $((group_mtu - 4))
done
expect_nm_alive
expect_clean_kernel_log
