# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: data crosses the fabric in both modes and both address families, but not between partitions
# with: none
# releases: bookworm trixie
. ./lib.sh
fabric
peer ib1 datagram 192.0.2.2/24 2001:db8::2/64
ip address add 192.0.2.1/24 dev ib0
ip address add 2001:db8::1/64 dev ib0 nodad
ip link set ib0 up
expect_carrier ib0 1
expect_ping 192.0.2.2 2016
expect_ping 2001:db8::2
echo connected >$NET/ib0/mode
in_peer sh -c "echo connected >$NET/ib1/mode"
expect_ping 192.0.2.2 65000
expect_ping 2001:db8::2 65000
in_peer sh -c "iperf3 -s -1 -D >/dev/null"
sleep 0.5
check "TCP passes in connected mode" iperf3 -c 192.0.2.2 -t 1
echo 0x8002 >$NET/ib0/create_child
ip address add 198.51.100.1/24 dev ib0.8002
ip link set ib0.8002 up
expect_carrier ib0.8002 1
in_peer ip address add 198.51.100.2/24 dev ib1
check "ping from P_Key 0x8002 to the default partition: no answer" not ping -n -c 2 -i 0.2 -W 1 198.51.100.2
expect_clean_kernel_log
