# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a carrier that comes back while the plugin looks at the link is looked at again
# with: plugin
# releases: bookworm (trixie)
# alone: whatever is written from outside stays
. ./lib.sh
# A long table takes long to be read: the plugin looks 200 ms after the carrier went, and is at it for a while.
fabric active_mtu=4096 ports=1 pkeys="0xffff$(printf ',0x%04x' $(seq 0x8001 0x81fe))" pkey_len=512
nm_start
profile p ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
child c ib0 0x8002 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 198.51.100.1/24
expect_up p
expect_up c
expect_mtu ib0.8002 4092
sleep 2

# down, and up again so many milliseconds later, with something to be mended
flap_after() {
    python3 - "$1" <<'END'
import sys, time
port, mode = open("/sys/module/softhca/parameters/cmd", "w"), open("/sys/class/net/ib0.8002/mode", "w")
def write(file, text):
    file.write(text)
    file.flush()
write(port, "state mlx4_0 1 down")
time.sleep(int(sys.argv[1]) / 1000)
write(mode, "connected\n")
write(port, "state mlx4_0 1 active")
END
}
for pause in 203 204 205 206 210 220; do
    must flap_after $pause
    expect_carrier ib0.8002 1
    expect_mtu ib0.8002 4092
    echo datagram >$NET/ib0.8002/mode
    hca state mlx4_0 1 down
    sleep 0.6
    hca state mlx4_0 1 active
    sleep 1.5
done
expect_nm_alive
