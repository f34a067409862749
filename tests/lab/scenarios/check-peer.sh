# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib check stops at the first step that fails, and reports that step
# with: cli
# releases: bookworm (trixie)
# files: check_peer.sh
. ./lib.sh
. ./check_peer.sh
fabric name=mlx4_0,mlx4_1,mlx4_2 ports=1 rev=0xa0,0xb0 active_mtu=2048,2048,4096
mode_here() { echo "$1" >$NET/ib0/mode; }
mode_there() { in_peer sh -c "echo $1 >$NET/ib1/mode"; }

check "check without a route: the step route fails, exit 4" check_finds "route:failed" 4 $PEER
check "check over an interface that is no port: the step route fails and names the interface" eval "ip link add ve0 type veth peer name ve1; ip address add $PEER/24 dev ve1; ip link set ve1 up; ip address add 198.51.100.1/24 dev ve0; ip link set ve0 up
    check_finds route:failed 4 198.51.100.2 && check_said 'uses ve0, which is not an interface of a port'"
check "check with an address of this machine: the step route fails and reports this" eval "check_finds route:failed 4 $PEER && check_said 'of this machine itself'"
must ip link delete ve0

two_ends
check_all_well
check "check, datagram: the large ping has the size of the MTU" check_said 'of 2044 bytes'
check "check over IPv6: all steps pass" eventually check_finds "$check_start ping:ok large-ping:ok" 0 2001:db8::2 --no-iperf
check "check in connected mode: all steps pass, with a ping of 65520 bytes" eval "mode_here connected; mode_there connected; eventually check_finds '$check_start ping:ok large-ping:ok' 0 $PEER --no-iperf && check_said 'of 65520 bytes'"
mode_here datagram
mode_there datagram

port_state mlx4_0 1 down
check "check on a port that is down: the step carrier fails, exit 4" eventually check_finds "route:ok carrier:failed" 4 $PEER
check "check on a port that is down: names nm-ib doctor as the next step" prints -s 4 'nm-ib doctor ib0' nm-ib check $PEER
port_state mlx4_0 1 active
expect_carrier ib0 1
check "check with an address that no host has: the step neighbour fails, exit 4" check_finds "route:ok carrier:ok neighbour:failed" 4 192.0.2.77
must ip -n peer link set ib1 down
must ip neigh flush dev ib0
check "check with a peer that went down: the step neighbour fails, exit 4" check_finds "route:ok carrier:ok neighbour:failed" 4 $PEER
must ip -n peer link set ib1 up
check_all_well
in_peer sysctl -qw net.ipv4.icmp_echo_ignore_all=1
check "check with a peer that ignores pings: the step ping fails, exit 4" check_finds "$check_start ping:failed" 4 $PEER
in_peer sysctl -qw net.ipv4.icmp_echo_ignore_all=0
must ip route change 192.0.2.0/24 dev ib0 mtu lock 1500
check "check over a route with a smaller MTU: the large ping fails, with the size that passes and the route" eval "check_finds '$check_start ping:ok large-ping:failed' 4 $PEER && check_said 'of 2044 bytes are not answered, packets of 1500 bytes are' && grep -F 'ip route get 192.0.2.2' /run/found"
must ip route change 192.0.2.0/24 dev ib0

expect_clean_kernel_log
