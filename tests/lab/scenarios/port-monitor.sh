# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: port monitor tells what changes, from events, and sleeps while nothing does
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx4_1 rev=0xb0
nm_start
profile storage ifname ib0 connection.autoconnect no
nm-ib port monitor >/run/lines 2>/run/notes &
monitor=$!
nm-ib port monitor mlx4_1/1 --json >/run/json 2>/run/json.notes &
other=$!
told() { grep -E "^[0-9:]{8} $1\$" /run/lines; }
awake() { awk '{print $14 + $15}' /proc/$monitor/stat; }
sleep 3
check "nothing has changed" is "$(cat /run/lines)" ""
check "a device whose events nobody may read is named" grep -F mlx4_0 /run/notes
before=$(awake)
switches=$(awk '/^voluntary_ctxt/ {print $2}' /proc/$monitor/status)
sleep 5
check "it sleeps while nothing happens" eval "[ \$((\$(awake) - $before)) -le 1 ] && [ \$((\$(awk '/^voluntary_ctxt/ {print \$2}' /proc/$monitor/status) - $switches)) -le 3 ]"

must ip link add other0 type dummy
sleep 2
reads() { awk '/^syscr/ {print $2}' /proc/$monitor/io; } # of files, as each look at the ports needs many
before=$(reads)
for _ in {1..40}; do
    ip link set other0 up && ip link set other0 mtu 1400 && ip link set other0 down && ip link set other0 mtu 1500
    sleep 0.1
done
read=$(($(reads) - before))
check "160 events of an interface that is on no RDMA port take no look at the ports" eval "echo $read; [ $read -lt 1000 ]"
must ip link delete other0

# reader_gone COMMAND...: a monitor in COMMAND whose reader ends without having read a line; within ten seconds
reader_gone() { timeout 10 bash -c "{ $1; echo \$? >/run/ended; } | true" && [ -s /run/ended ]; }
check "monitor ends when its reader is gone, without an event" reader_gone 'nm-ib port monitor 2>/dev/null'
check "monitor ends when its reader is gone, with SIGPIPE ignored" reader_gone "trap '' PIPE; nm-ib port monitor 2>/dev/null"
timeout 30 nm-ib port monitor >/dev/full 2>/run/full.notes &
full=$!
sleep 2
must ip link set ib0 mtu 1900
wait $full
check "monitor ends when nothing can be written" is "$? $(tail -n1 /run/full.notes)" '1 Error: the output could not be written.'
must ip link set ib0 mtu 2044

must up storage
check "a profile that comes up" eventually told 'ib0: nm_state .* -> connected'
check "  which" told 'ib0: profile - -> storage'
port_state mlx4_0 1 down
check "a port that goes down" eventually told 'mlx4_0/1: state Active -> Down'
check "  and its carrier" eventually told 'ib0: carrier yes -> no'
port_state mlx4_0 1 active
check "  and is back" eventually told 'mlx4_0/1: state Down -> Active'
check "  with the carrier" eventually told 'ib0: carrier no -> yes'
hca smlid mlx4_0 1 77
hca pkey mlx4_0 1 2 0x0002
hca event mlx4_0 1 rereg
must ip link set ib0 mtu 1500
check "an MTU" eventually told 'ib0: mtu 2044 -> 1500'
check "  and what has no event of its own, seen with it: the subnet manager" eventually told 'mlx4_0/1: sm_lid [0-9]+ -> 77'
check "  and the P_Key table" eventually told 'mlx4_0/1: p_keys .*0x8002.* -> .*0x0002.*'
must nmcli connection modify storage infiniband.transport-mode connected
must up storage
check "a mode" eventually told 'ib0: mode datagram -> connected'
must nmcli connection down storage
check "a profile that goes" eventually told 'ib0: profile storage -> -'
child lnet ib0 0x8003 connection.autoconnect no
nmcli -w 5 connection up lnet >/dev/null 2>&1
check "a child that is made" eventually told 'ib0.8003: is there .*'
must nmcli connection delete lnet
check "  and is gone" eventually told 'ib0.8003: is gone'
nm_stop
check "NetworkManager goes" eventually told 'ib0: nm_state .* -> -'
check "the other has heard of its own port only" eval "! grep -F mlx4_0 /run/json"
port_state mlx4_1 1 down
check "  an object a line" eventually eval "jq -e 'select(.where == \"mlx4_1/1\" and .what == \"state\" and .after == \"Down\")' /run/json"
fabric_unload
check "a card that goes" eventually told 'mlx4_0/1: is gone'
kill $monitor
wait $monitor
check "a signal ends it well" is $? 0
kill -INT $other
wait $other
check "  that of the keyboard, too" is $? 0
check "a port that is not there: one line, exit 10" eval "nm-ib port monitor ib77 2>/run/err; is \"\$? \$(wc -l </run/err)\" '10 1'"
