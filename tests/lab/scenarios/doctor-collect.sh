# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the playbook from the documentation collects the reports of hosts with ansible-core, and compares them
# with: cli
# releases: (bookworm) (trixie)
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
    echo "node$i ansible_connection=local nm_ib=/run/node$i/nm-ib" >>/run/inventory
done
# Each module that ansible starts takes seconds here, so the interpreter is given.
printf '%s\n' '[all:vars]' ansible_python_interpreter=/usr/bin/python3 >>/run/inventory
must ip link set ib1 mtu 1500
export LC_ALL=C.UTF-8 ANSIBLE_PIPELINING=1
play() { ansible-playbook -i /run/inventory collect.yml -e into=/run/hosts >/run/play 2>&1 || { cat /run/play; return 1; }; }
check "playbook: succeeds" play
check "playbook: writes one file of each kind for each host" \
    is "$(echo /run/hosts/*)" '/run/hosts/node0.doctor.json /run/hosts/node0.port.json /run/hosts/node1.doctor.json /run/hosts/node1.port.json'
check "playbook: shows the MTU that differs between the hosts" grep -F '[mtu-differs]' /run/play
check "playbook: a warning fails no task" prints_no -E 'failed=[1-9]' cat /run/play
check "doctor --merge of the collected files: the same finding, exit 1" prints -s 1 '1500: node1; 2044: node0' nm-ib doctor --merge /run/hosts/*
hca state mlx4_0 1 init
hca smlid mlx4_0 1 0
rm -r /run/hosts
check "playbook: an error that doctor finds on a host fails the comparison" ends 1 play
check "playbook: an error that doctor finds on a host does not fail the collection" eval "is \"\$(echo /run/hosts/* | wc -w)\" 4 && grep -F 'no-subnet-manager' /run/play"
