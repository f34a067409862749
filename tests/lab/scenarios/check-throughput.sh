# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib check compares the throughput with the data rate of the port
# with: cli
# releases: bookworm (trixie)
# files: check_peer.sh
. ./lib.sh
. ./check_peer.sh
fabric name=mlx4_0,mlx4_1,mlx4_2 ports=1 rev=0xa0,0xb0 active_mtu=2048,2048,4096
# one_end: the step throughput names the mode and the MTU; its result depends on the speed of the guest
one_end() {
    nm-ib check $PEER --time 1 --json >/run/found || (($? < 126)) || return
    json_has 'any(.steps[]; .step == "throughput" and (.mend // "" | contains("mode and MTU of both ends")))' cat /run/found
}
serve() { in_peer sh -c "iperf3 -s -1 -D >/dev/null"; must eventually in_peer sh -c "ss -Hltn 'sport = 5201' | grep -q ."; }

two_ends
check_all_well
quiet="$check_start ping:ok large-ping:ok throughput:skipped"
check "check without an iperf3 server: the step throughput is skipped, exit 0" check_finds "$quiet" 0 $PEER
check "check without an iperf3 server: names the command to start one" prints 'run: iperf3 -s' nm-ib check $PEER
full="$check_start ping:ok large-ping:ok throughput"
serve
check "check with an iperf3 server: a throughput below the data rate is a warning, exit 1" eval "check_finds '$full:warning' 1 $PEER --time 1 && check_said ' of 32 Gbit/s, the data rate of mlx4_0/1'"
check "check, low throughput: lists the likely causes" grep -F 'the most likely cause first' /run/found
serve
check "check, text output with throughput: at most 24 lines" eval "is 1 \"\$(nm-ib check $PEER --time 1 >/run/text; echo \$?)\" && grep -E '^throughput +warning +[0-9.]+ [MG]bit/s, ' /run/text && [ \$(wc -l </run/text) -le 24 ]"
serve
check "check with --at-least 0: the throughput is ok, exit 0" check_finds "$full:ok" 0 $PEER --time 1 --at-least 0
echo connected >$NET/ib0/mode
serve
check "check, connected mode at one end only: a warning that names the mode and the MTU of both ends" one_end
expect_clean_kernel_log
