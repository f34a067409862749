# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the carrier returns while the plugin reads the link: the plugin reads the link again
# with: plugin
# releases: bookworm (trixie)
# alone: an MTU that was written from outside stays
. ./lib.sh
# The plugin reads the link 200 ms after the carrier was lost; a long P_Key table makes that read slow.
fabric active_mtu=4096 ports=1 pkeys="0xffff$(printf ',0x%04x' $(seq 0x8001 0x81fe))" pkey_len=512
nm_start
profile p ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
child c ib0 0x8002 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 198.51.100.1/24
expect_up p
expect_up c
expect_mtu ib0.8002 4092
settle

# group MTU: the MTU of the next broadcast group
group() { echo "$1" >/sys/module/softhca/parameters/group_mtu; }
# flap_after MS: carrier down, and up again MS milliseconds later, with a group that allows more
flap_after() {
    python3 - "$1" <<'END'
import sys, time
port, group = open("/sys/module/softhca/parameters/cmd", "w"), open("/sys/module/softhca/parameters/group_mtu", "w")
def write(file, text):
    file.write(text)
    file.flush()
write(port, "state mlx4_0 1 down")
time.sleep(int(sys.argv[1]) / 1000)
write(group, "4096\n")
write(port, "state mlx4_0 1 active")
END
}
for pause in 203 204 205 206 210 220; do
    group 2048
    hca state mlx4_0 1 down
    settle
    hca state mlx4_0 1 active
    expect_mtu ib0.8002 2044
    settle
    must flap_after $pause
    expect_carrier ib0.8002 1
    expect_mtu ib0.8002 4092
    settle
done
expect_nm_alive
