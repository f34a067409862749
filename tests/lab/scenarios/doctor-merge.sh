# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor --merge finds problems that a single host cannot see
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
# finds ID... EXIT: exactly these findings in this order, and this exit code
finds() {
    local code=0
    collect || return
    nm-ib doctor --merge /run/node?/port.json --json >/run/found || code=$?
    is "$(jq -r '[.findings[].id] | join(" ")' /run/found) $code" "$*"
}

check "two hosts that match: no finding, exit 0" eventually finds "" 0
printf 'node0\nnode1 # this machine\nnode2\n' >/run/hosts
check "--hosts: names the host without a report, exit 1" prints -s 1 'expected hosts without a report: node2' nm-ib doctor --merge /run/node?/port.json --hosts /run/hosts
check "--hosts without --merge: one line, exit 2" refused_with 2 'Error: --hosts: only with --merge' nm-ib doctor --hosts /run/hosts
must ip link set ib1 mtu 1500
check "different MTUs in a partition: mtu-differs, exit 1" finds mtu-differs 1
check "different MTUs in a partition: names the hosts" prints '1500: node1; 2044: node0' doctor_field seen
must ip link set ib1 mtu 2044
echo connected >$NET/ib1/mode
check "different modes: mode-differs, exit 1" eventually finds mode-differs 1
echo datagram >$NET/ib1/mode
check "modes equal again: no finding" eventually finds "" 0

hca smlid mlx4_1 1 77
check "different subnet managers: sm-differs, exit 1" finds sm-differs 1
hca smlid mlx4_1 1 4095
hca mtu mlx4_1 1 1024
check "ports with different InfiniBand MTUs: port-mtu-differs, exit 1" eventually eval "finds port-mtu-differs 1 || finds mtu-differs port-mtu-differs 1"
hca mtu mlx4_1 1 2048
check "InfiniBand MTUs equal again: no finding" eventually finds "" 0
for h in mlx4_0 mlx4_1; do hca pkey $h 1 0 0x7fff; done
check "limited members on both hosts: limited-members, exit 1" finds limited-members 1
hca pkey mlx4_0 1 0 0xffff
check "a limited and a full member: no finding" finds "" 0
hca pkey mlx4_1 1 0 0xffff
must nm-ib doctor --merge /run/node?/port.json >/dev/null
guid=$(jq -r '.ports[0].guid' /run/node0/port.json)
own=$(jq -r '.ports[0].guid' /run/node1/port.json)
hca guid mlx4_1 1 0 "0x${guid//:/}"
check "the same GUID on two hosts: same-guid, exit 4" finds same-guid 4
hca guid mlx4_1 1 0 "0x${own//:/}"
check "GUIDs differ again: no finding" eventually finds "" 0

must collect
for i in 0 1; do # an HCA with two ports; both of node1 are down
    jq --arg state "$(test $i = 1 && echo Down || echo Active)" '.hcas[].name = "mlx4_0" | .ports[0].interfaces = [] |
        .ports += [.ports[0] | .number = 2 | .guid |= sub("^..:"; "ee:") | .lid += 100] | .ports[] |= (.hca = "mlx4_0" | .state = $state)' \
        /run/node$i/port.json >/run/node$i/two.json
done
check "two ports of one host are down: one finding, names both" doctor_shows \
    '[.findings[] | "\(.id) \(.where)"] == ["port-state-differs mlx4_0/1, mlx4_0/2"]' --merge /run/node?/two.json
check "--ignore: one of the ports" doctor_shows '.ignored == 1 and [.findings[].where] == ["mlx4_0/2"]' \
    --merge /run/node?/two.json --ignore port-state-differs:mlx4_0/1
check "--ignore: where of --json" nm-ib doctor --merge /run/node?/two.json --ignore 'port-state-differs:mlx4_0/1, mlx4_0/2'

echo '{"schema":2,"host":"node2","ports":[]}' >/run/later.json
head -c 200 /run/node0/port.json >/run/half.json
check "files that are no reports: one line for each, the others are compared, exit 2" eval "
    nm-ib doctor --merge /run/later.json /run/half.json /run/node?/port.json /run/none.json >/run/out 2>/run/err; is \$? 2 &&
    is \"\$(cut -d: -f2 /run/err | tr -d '\n')\" ' /run/later.json /run/half.json /run/none.json'"
check "doctor --merge without files: one line, exit 2" refused_with 2 'Usage: nm-ib doctor' nm-ib doctor --merge
expect_clean_kernel_log
