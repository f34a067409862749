# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib check stops at the first step that fails, says which, and why a throughput is low
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx4_1,mlx4_2 ports=1 rev=0xa0,0xb0 active_mtu=2048,2048,4096
PEER=192.0.2.2
# finds "STEP:RESULT..." EXIT OPTION...: just these steps, in this order, and that exit code
finds() {
    local code=0 steps
    nm-ib check "${@:3}" --json >/run/found || code=$?
    steps=$(python3 -c 'import json; print(*[s["step"] + ":" + s["result"] for s in json.load(open("/run/found"))["steps"]])')
    is "$steps $code" "$1 $2"
}
reasons() { is "$(python3 -c 'import json; print(*[r["id"] for r in json.load(open("/run/found"))["reasons"]])')" "$*"; }
said() { python3 -c 'import json; print(*[s["seen"] for s in json.load(open("/run/found"))["steps"]], sep="\n")' | grep -E -- "$1"; }
serve() { in_peer sh -c "iperf3 -s -1 -D >/dev/null"; sleep 0.5; }
mode_here() { echo "$1" >$NET/ib0/mode; }
mode_there() { in_peer sh -c "echo $1 >$NET/ib1/mode"; }
start="route:passed carrier:passed neighbour:passed"

check "no route" finds "route:failed" 4 $PEER
check "a way that is no InfiniBand" eval "ip link add ve0 type veth peer name ve1; ip address add $PEER/24 dev ve1; ip link set ve1 up; ip address add 198.51.100.1/24 dev ve0; ip link set ve0 up
    finds route:failed 4 198.51.100.2 && said 'over ve0, which is no interface on a port'"
check "an address of this machine" eval "finds route:failed 4 $PEER && said 'of this machine itself'"
must ip link delete ve0

peer ib1 datagram $PEER/24 2001:db8::2/64
must ip address add 192.0.2.1/24 dev ib0
must ip address add 2001:db8::1/64 dev ib0 nodad
must ip link set ib0 up
expect_carrier ib0 1
check "all is well" eventually finds "$start ping:passed large-ping:passed" 0 $PEER --no-iperf
check "  packets as large as the MTU" said 'of 2044 bytes'
check "  also over IPv6" eventually finds "$start ping:passed large-ping:passed" 0 2001:db8::2 --no-iperf
check "  and in connected mode" eval "mode_here connected; mode_there connected; eventually finds '$start ping:passed large-ping:passed' 0 $PEER --no-iperf && said 'of 65520 bytes'"
mode_here datagram
mode_there datagram

port_state mlx4_0 1 down
check "no carrier" eventually finds "route:passed carrier:failed" 4 $PEER
check "  with what to do next" eval "nm-ib check $PEER | grep -F 'nm-ib doctor ib0'"
port_state mlx4_0 1 active
expect_carrier ib0 1
check "nobody answers for the address" finds "route:passed carrier:passed neighbour:failed" 4 192.0.2.77
must ip -n peer link set ib1 down
must ip neigh flush dev ib0
check "nor for one that was there" finds "route:passed carrier:passed neighbour:failed" 4 $PEER
must ip -n peer link set ib1 up
check "all is well again" eventually finds "$start ping:passed large-ping:passed" 0 $PEER --no-iperf
in_peer sysctl -qw net.ipv4.icmp_echo_ignore_all=1
check "no answer to a ping" finds "$start ping:failed" 4 $PEER
in_peer sysctl -qw net.ipv4.icmp_echo_ignore_all=0
must ip route change 192.0.2.0/24 dev ib0 mtu lock 1500
check "a route with a smaller MTU" eval "finds '$start ping:passed large-ping:failed' 4 $PEER && said 'sends 192.0.2.2 no packets of 2044 bytes: 1500 are the most'"
must ip route change 192.0.2.0/24 dev ib0

quiet="$start ping:passed large-ping:passed throughput:skipped"
check "no iperf3 server: a mark, and no fault" finds "$quiet" 0 $PEER
check "  with what to start" eval "nm-ib check $PEER | grep -F 'start there: iperf3 -s'"
full="$start ping:passed large-ping:passed throughput"
must ethtool -K ib0 tso off
serve
check "the throughput, against the data rate" eval "finds '$full:warning' 1 $PEER --time 1 && said ' of 32 Gbit/s, the data rate of mlx4_0/1'"
check "  reasons: datagram mode, TSO off by the quirk, one stream" reasons datagram-mode tso-off-by-quirk one-stream
check "  by the segment size" grep -F 'TCP segments have 1992 bytes' /run/found
check "  and the quirk's name" grep -F 'mlx4-connectx-a0-lso' /run/found
serve
check "for people, in one screen" eval "is 1 \"\$(nm-ib check $PEER --time 1 >/run/text; echo \$?)\" && grep -E '^throughput +warning +[0-9.]+ [MG]bit/s, ' /run/text && [ \$(wc -l </run/text) -le 24 ]"
serve
check "fast enough for who asks for less" finds "$full:passed" 0 $PEER --time 1 --at-least 0
mode_here connected
serve
check "connected mode at one end alone" eval "finds '$full:warning' 1 $PEER --time 1; reasons peer-mtu one-stream"
check "  by the segment size" grep -F '1992 bytes, as for an MTU of 2044' /run/found
mode_here datagram

mkdir /run/few
ln -s "$(command -v ping)" /run/few/ping
check "iperf3 is not there: a mark, and the package" eval "PATH=/run/few $(command -v nm-ib) check $PEER >/run/text; is \$? 0 && grep -F 'Install the package iperf3' /run/text"
check "ping is not there" eval "PATH=/nowhere $(command -v nm-ib) check $PEER >/run/text; is \$? 0 && grep -F 'Install the package iputils-ping (Debian), iputils (RHEL)' /run/text"

# a port that can receive no more than 2048 bytes, on a group of 4096
fabric_small() {
    must ip netns delete peer
    fabric_unload
    fabric name=mlx4_0,mlx4_1 ports=1 rev=0xb0 active_mtu=4096,2048 max_mtu=4096,2048 group_mtu=4096
    must ip link set ib0 up
    expect_carrier ib0 1
    peer ib1 datagram $PEER/24
    must ip address add 192.0.2.1/24 dev ib0
    expect_mtu ib0 4092
}
fabric_small
check "a peer with a smaller MTU" eventually finds "$start ping:passed large-ping:failed" 4 $PEER
check "  and what does pass" said 'of 4092 bytes are not answered, those of 2044 are'


modprobe rdma_rxe
must ip link add ve0 type veth peer name ve1 netns peer
must ip address add 10.9.0.1/24 dev ve0
must ip -n peer address add 10.9.0.2/24 dev ve1
must ip link set ve0 up
must ip -n peer link set ve1 up
must rdma link add rxe_ve0 type rxe netdev ve0
check "over the Ethernet interface of a RoCE port" eventually eval "finds '$start ping:passed large-ping:passed' 0 10.9.0.2 --no-iperf && said 'over ve0 .rxe_ve0/1, MTU 1500'"
must ip link add link ve0 name ve0.5 type vlan id 5
must ip -n peer link add link ve1 name ve1.5 type vlan id 5
must ip address add 10.9.5.1/24 dev ve0.5
must ip -n peer address add 10.9.5.2/24 dev ve1.5
must ip link set ve0.5 up
must ip -n peer link set ve1.5 up
check "  over a VLAN on it" eventually eval "finds '$start ping:passed large-ping:passed' 0 10.9.5.2 --no-iperf && said 'over ve0.5 .rxe_ve0/1'"
must ip address flush dev ib0
must ip link set ib0 down
must ip link add bond0 type bond mode active-backup miimon 100 fail_over_mac active
must ip link set ib0 master bond0
must ip address add 192.0.2.1/24 dev bond0
must ip link set bond0 mtu 2044 up
check "  over a bond of IPoIB interfaces" eventually eval "finds '$start ping:passed large-ping:passed' 0 $PEER --no-iperf && said 'over bond0 .mlx4_0/1, datagram'"

for words in "" "--nonsense" "-x" "-- $PEER" "$PEER extra" "$PEER --time 0" "$PEER --at-least 101"; do
    check "a mistake ($words): one line, exit 2" eval "nm-ib check $words 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1'"
done
check "a name that nobody knows: exit 10" eval "nm-ib check no.such.invalid 2>/run/err; is \"\$? \$(wc -l </run/err)\" '10 1'"
must sysctl -qw net.ipv4.ping_group_range='0 2147483647' # as systemd's own sysctl file has it; ping may need it
check "another user may ask too" eventually eval "setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib -t -f STEP,RESULT check $PEER --no-iperf | grep -x large-ping:passed"
check "a field that is none: exit 2" eval "nm-ib -t -f nonsense check $PEER; is \$? 2"
expect_clean_kernel_log
