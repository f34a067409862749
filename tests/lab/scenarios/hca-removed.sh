# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an HCA that is taken away leaves nothing behind, and comes up right when it is back
# with: plugin+dispatcher plugin
# releases: bookworm (trixie)
# alone: the same, with TSO on and no word about the MTU
. ./lib.sh
fabric active_mtu=4096 group_mtu=2048
nm_start
noted() { compgen -G '/run/nm-infiniband/*-[0-9]*'; }
for port in ib0 ib1; do
    profile $port ifname $port transport-mode datagram mtu 4092 connection.autoconnect yes
    child c-$port $port 0x8002 transport-mode datagram mtu 4092 connection.autoconnect yes
done
come_up() {
    for link in ib0 ib1 ib0.8002 ib1.8002; do
        expect_state $link connected
        expect_mtu $link 2044
        expect_tso $link off
    done
}
come_up
check "what was learned is noted" eventually noted
fabric_unload
expect_no_link ib1.8002
expect_no_link ib0
check "nothing is noted of what is gone" eventually not noted
fabric active_mtu=4096 group_mtu=2048
come_up
expect_nm_alive
expect_clean_kernel_log
