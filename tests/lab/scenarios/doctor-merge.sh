# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor --merge finds what no single host sees
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
# files: one_hca.py
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx4_1 ports=1 rev=0xb0
for link in ib0 ib1; do must ip link set $link up; done
expect_carrier ib0 1
expect_carrier ib1 1
# Two hosts with one HCA each, since this machine has two.
for i in 0 1; do
    mkdir -p /run/node$i
    printf '#!/bin/sh\nexec python3 %s/one_hca.py node%s mlx4_%s "$@"\n' "$JOB" $i $i >/run/node$i/nm-ib
    chmod +x /run/node$i/nm-ib
done
collect() { for i in 0 1; do /run/node$i/nm-ib port --json >/run/node$i/port.json || return; done; }
# finds ID... EXIT: just these, in this order, and that exit code
finds() {
    local code=0
    collect || return
    nm-ib doctor --merge /run/node?/port.json --json >/run/found || code=$?
    is "$(jq -r '[.findings[].id] | join(" ")' /run/found) $code" "$*"
}

check "two hosts that fit" eventually finds "" 0
must ip link set ib1 mtu 1500
check "different MTUs in a partition" finds mtu-differs 1
check "  with the hosts" eval "doctor_field seen | grep -F '1500: node1; 2044: node0'"
must ip link set ib1 mtu 2044
echo connected >$NET/ib1/mode
check "different modes" eventually finds mode-differs 1
echo datagram >$NET/ib1/mode
check "all is well again" eventually finds "" 0

hca smlid mlx4_1 1 77
check "different subnet managers" finds sm-differs 1
hca smlid mlx4_1 1 4095
hca mtu mlx4_1 1 1024
check "ports with different InfiniBand MTUs" eventually eval "finds port-mtu-differs 1 || finds mtu-differs port-mtu-differs 1"
hca mtu mlx4_1 1 2048
check "all is well again" eventually finds "" 0
for h in mlx4_0 mlx4_1; do hca pkey $h 1 0 0x7fff; done
check "limited members on both sides" finds limited-members 1
hca pkey mlx4_0 1 0 0xffff
check "  with a full member beside one: nothing" finds "" 0
hca pkey mlx4_1 1 0 0xffff
must nm-ib doctor --merge /run/node?/port.json >/dev/null
guid=$(jq -r '.ports[0].guid' /run/node0/port.json)
own=$(jq -r '.ports[0].guid' /run/node1/port.json)
hca guid mlx4_1 1 0 "0x${guid//:/}"
check "one GUID on two hosts" finds same-guid 4
hca guid mlx4_1 1 0 "0x${own//:/}"
check "all is well again" eventually finds "" 0

echo '{"schema":2,"host":"node2","ports":[]}' >/run/later.json
head -c 200 /run/node0/port.json >/run/half.json
check "files that are no reports: a line for each, exit 2, and the rest is compared" eval "
    nm-ib doctor --merge /run/later.json /run/half.json /run/node?/port.json /run/none.json >/run/out 2>/run/err; is \$? 2 &&
    is \"\$(cut -d: -f2 /run/err | tr -d '\n')\" ' /run/later.json /run/half.json /run/none.json'"
check "a mistake: one line, exit 2" eval "nm-ib doctor --merge 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1'"
expect_clean_kernel_log
