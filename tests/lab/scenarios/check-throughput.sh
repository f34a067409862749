# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib check compares the throughput with what the port can carry
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx4_1,mlx4_2 ports=1 rev=0xa0,0xb0 active_mtu=2048,2048,4096
serve() { in_peer sh -c "iperf3 -s -1 -D >/dev/null"; sleep 0.5; }

two_ends
check_all_well
quiet="$check_start ping:ok large-ping:ok throughput:skipped"
check "no iperf3 server: a mark, and no fault" check_finds "$quiet" 0 $PEER
check "  with what to start" eval "nm-ib check $PEER | grep -F 'start there: iperf3 -s'"
full="$check_start ping:ok large-ping:ok throughput"
serve
check "the throughput, against the data rate" eval "check_finds '$full:warning' 1 $PEER --time 1 && check_said ' of 32 Gbit/s, the data rate of mlx4_0/1'"
check "  with what to look at" grep -F 'the most likely cause first' /run/found
serve
check "for people, in one screen" eval "is 1 \"\$(nm-ib check $PEER --time 1 >/run/text; echo \$?)\" && grep -E '^throughput +warning +[0-9.]+ [MG]bit/s, ' /run/text && [ \$(wc -l </run/text) -le 24 ]"
serve
check "fast enough for who asks for less" check_finds "$full:ok" 0 $PEER --time 1 --at-least 0
echo connected >$NET/ib0/mode
serve
check "connected mode at one end alone: a warning, and where to look" eval "check_finds '$full:warning' 1 $PEER --time 1; grep -F 'at the mode and the MTU of both ends' /run/found"
expect_clean_kernel_log
