# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Counts, with strace, the files that the daemon opens in one activation of a P_Key child, without and with the plugin.
# The P_Key table of the port has 128 entries; the P_Key of c1 is in the table. The P_Key of c200 is not, so c200 has no
# carrier. Counts until the child is activated: all files (_all) and those of the table (_pkeys); and those of the table
# in the next four seconds (_late).
. ./children.sh
read -r rounds <rounds
fabric ports=1 srq_sge=1 pkeys=0xffff"$(children_keys 127)"
children 1 1 autoconnect=false
children 200 200 autoconnect=false

# counted ROUND NAME LINK PROFILE: prints the three counts of one activation
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
    for p in 1 200; do # not counted: the first activation reads more files
        must up c$p
        must down c$p
    done
    counted "$1" "$2_carrier" ib0.8101 c1
    counted "$1" "$2_nocarrier" ib0.81c8 c200
}
in_turns "$rounds" opens
