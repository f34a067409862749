# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib check says why a throughput is low
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx4_1,mlx4_2 ports=1 rev=0xa0,0xb0 active_mtu=2048,2048,4096
reasons() { is "$(jq -r '[.reasons[].id] | join(" ")' /run/found)" "$*"; }
serve() { in_peer sh -c "iperf3 -s -1 -D >/dev/null"; sleep 0.5; }

two_ends
check_all_well
quiet="$check_start ping:passed large-ping:passed throughput:skipped"
check "no iperf3 server: a mark, and no fault" check_finds "$quiet" 0 $PEER
check "  with what to start" eval "nm-ib check $PEER | grep -F 'start there: iperf3 -s'"
full="$check_start ping:passed large-ping:passed throughput"
must ethtool -K ib0 tso off
serve
check "the throughput, against the data rate" eval "check_finds '$full:warning' 1 $PEER --time 1 && check_said ' of 32 Gbit/s, the data rate of mlx4_0/1'"
check "  reasons: datagram mode, TSO off by the quirk, one stream" reasons datagram-mode tso-off-by-quirk one-stream
check "  by the segment size" grep -F 'TCP segments have 1992 bytes' /run/found
check "  and the quirk's name" grep -F 'mlx4-connectx-a0-lso' /run/found
serve
check "for people, in one screen" eval "is 1 \"\$(nm-ib check $PEER --time 1 >/run/text; echo \$?)\" && grep -E '^throughput +warning +[0-9.]+ [MG]bit/s, ' /run/text && [ \$(wc -l </run/text) -le 24 ]"
serve
check "fast enough for who asks for less" check_finds "$full:passed" 0 $PEER --time 1 --at-least 0
echo connected >$NET/ib0/mode
serve
check "connected mode at one end alone" eval "check_finds '$full:warning' 1 $PEER --time 1; reasons peer-mtu one-stream"
check "  by the segment size" grep -F '1992 bytes, as for an MTU of 2044' /run/found
expect_clean_kernel_log
