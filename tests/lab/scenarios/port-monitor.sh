# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: port monitor reports changes from events, and sleeps while nothing changes
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
check "monitor, no change: prints nothing" is "$(cat /run/lines)" ""
check "monitor, device without readable events: named on stderr" grep -F mlx4_0 /run/notes
before=$(awake)
switches=$(awk '/^voluntary_ctxt/ {print $2}' /proc/$monitor/status)
sleep 5
check "monitor, no change: sleeps" eval "[ \$((\$(awake) - $before)) -le 1 ] && [ \$((\$(awk '/^voluntary_ctxt/ {print \$2}' /proc/$monitor/status) - $switches)) -le 3 ]"

must ip link add other0 type dummy
sleep 2
reads() { awk '/^syscr/ {print $2}' /proc/$monitor/io; } # reads of files: each look at the ports needs many
before=$(reads)
for _ in {1..40}; do
    ip link set other0 up && ip link set other0 mtu 1400 && ip link set other0 down && ip link set other0 mtu 1500
    sleep 0.1
done
read=$(($(reads) - before))
check "monitor, 160 events of an interface on no port: reads no port" eval "echo $read; [ $read -lt 1000 ]"
must ip link delete other0

# reader_gone COMMAND: a monitor in COMMAND ends within ten seconds after its reader has ended without reading a line
reader_gone() { timeout 10 bash -c "{ $1; echo \$? >/run/ended; } | true" && [ -s /run/ended ]; }
check "monitor, reader gone, no event: ends" reader_gone 'nm-ib port monitor 2>/dev/null'
check "monitor, reader gone, SIGPIPE ignored: ends" reader_gone "trap '' PIPE; nm-ib port monitor 2>/dev/null"
timeout 30 nm-ib port monitor >/dev/full 2>/run/full.notes &
full=$!
sleep 2
must ip link set ib0 mtu 1900
wait $full
check "monitor, output to a full device: exit 1, with the error" is "$? $(tail -n1 /run/full.notes)" '1 Error: the output cannot be written.'
must ip link set ib0 mtu 2044

must up storage
check "monitor, profile activated: reports nm_state connected" eventually told 'ib0: nm_state .* -> connected'
check "monitor, profile activated: reports the profile" told 'ib0: profile - -> storage'
port_state mlx4_0 1 down
check "monitor, port down: reports the port state" eventually told 'mlx4_0/1: state Active -> Down'
check "monitor, port down: reports the carrier" eventually told 'ib0: carrier yes -> no'
port_state mlx4_0 1 active
check "monitor, port active again: reports the port state" eventually told 'mlx4_0/1: state Down -> Active'
check "monitor, port active again: reports the carrier" eventually told 'ib0: carrier no -> yes'
hca smlid mlx4_0 1 77
hca pkey mlx4_0 1 2 0x0002
hca event mlx4_0 1 rereg
must ip link set ib0 mtu 1500
check "monitor, MTU changed: reports the MTU" eventually told 'ib0: mtu 2044 -> 1500'
check "monitor, change without an event: reports the LID of the subnet manager with the next event" eventually told 'mlx4_0/1: sm_lid [0-9]+ -> 77'
check "monitor, change without an event: reports the P_Key table with the next event" eventually told 'mlx4_0/1: p_keys .*0x8002.* -> .*0x0002.*'
must nmcli connection modify storage infiniband.transport-mode connected
must up storage
check "monitor, mode changed: reports the mode" eventually told 'ib0: mode datagram -> connected'
must nmcli connection down storage
check "monitor, profile deactivated: reports the profile" eventually told 'ib0: profile storage -> -'
child lnet ib0 0x8003 connection.autoconnect no
nmcli -w 5 connection up lnet >/dev/null 2>&1
check "monitor, child made: reports the child" eventually told 'ib0.8003: added .*'
must nmcli connection delete lnet
check "monitor, child removed: reports the child" eventually told 'ib0.8003: removed'
nm_stop
check "monitor, NetworkManager stopped: reports nm_state" eventually told 'ib0: nm_state .* -> -'
check "monitor of mlx4_1/1: reports nothing of mlx4_0" eval "! grep -F mlx4_0 /run/json"
port_state mlx4_1 1 down
check "monitor --json: one object for each line" eventually eval "jq -e 'select(.where == \"mlx4_1/1\" and .what == \"state\" and .after == \"Down\")' /run/json"
fabric_unload
check "monitor, HCA removed: reports the port" eventually told 'mlx4_0/1: removed'
kill $monitor
wait $monitor
check "monitor, SIGTERM: exit 0" is $? 0
kill -INT $other
wait $other
check "monitor, SIGINT: exit 0" is $? 0
check "monitor of an unknown port: one line, exit 10" eval "nm-ib port monitor ib77 2>/run/err; is \"\$? \$(grep -cE '^(Error|Usage): ' /run/err)\" '10 1'"
