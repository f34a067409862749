# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The files that the daemon opens in one activation of a P_Key child, without and with the plugin. The port's P_Key table
# has 128 entries; c1 is on one of them, c200 is not and gets no carrier. Counted with strace: until NetworkManager
# says that the child is activated (_all, and _pkeys of the table), and of the table in the four seconds after (_late).
. ./children.sh
read -r rounds <rounds
fabric ports=1 srq_sge=1 pkeys=0xffff"$(children_keys 127)"
children 1 1 autoconnect=false
children 200 200 autoconnect=false

# counted ROUND NAME LINK PROFILE
counted() {
    local mark tracer activated
    rm -f trace
    strace -f -y -ttt -e trace=open,openat,openat2 -o trace -p "$(pidof NetworkManager)" 2>strace.said &
    tracer=$!
    must eventually grep -q attached strace.said
    mark=$(date '+%Y-%m-%d %H:%M:%S.%6N')
    must up "$4"
    sleep 4
    kill $tracer
    wait $tracer || true
    journalctl --sync
    activated=$(journalctl -b -o short-unix --since "$mark" -u NetworkManager | awk "/\\($3\\): Activation: successful/ { print \$1 }")
    [ -n "$activated" ] || { echo "opens-guest.sh: $4 did not come up" >&2; exit 1; }
    grep -v resumed trace | awk -v round="$1" -v name="$2" -v activated="$activated" '
        { key = /\/pkeys[\/>]/; if ($2 <= activated) { all++; keys += key } else late += key }
        END { printf "%d\t%s_all\t%d\n%d\t%s_pkeys\t%d\n%d\t%s_late\t%d\n", round, name, all, round, name, keys, round, name, late }'
    must down "$4"
}
opens() {
    local p
    daemon "$2"
    for p in 1 200; do # once before, for what is read at first only
        must up c$p
        must down c$p
    done
    counted "$1" "$2_carrier" ib0.8101 c1
    counted "$1" "$2_nocarrier" ib0.81c8 c200
}
in_turns "$rounds" opens
