# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Functions of the benchmarks with P_Key children, in the lab's guest: profiles c1, c2 ... of ib0, P_Keys from 0x8101 on.
. ./lib.sh
trap - EXIT
object=/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so

children_keys() { printf ',0x%x' $(seq 0x8101 $((0x8100 + $1))); }
# children FROM TO OPTION...: writes their profiles; an OPTION is a line of [connection]
children() {
    local from=$1 to=$2 k file
    shift 2
    for k in $(seq "$from" "$to"); do
        file=$(_file "c$k")
        printf '%s\n' '[connection]' "id=c$k" type=infiniband "$@" '[infiniband]' parent=ib0 p-key=$((0x8100 + k)) \
            transport-mode=datagram '[ipv4]' method=disabled '[ipv6]' method=disabled >"$file"
        chmod 600 "$file"
    done
}
# all_active COUNT: true if all are activated and have a carrier. nmcli would read every profile at each call.
all_active() {
    is "$(grep -lx nm-owned=true /run/NetworkManager/devices/* | xargs -r grep -l ^connection-uuid= | wc -l)" "$1" &&
        is "$(grep -lx 1 $NET/ib0.*/carrier 2>/dev/null | wc -l)" "$1"
}

plugin() { if [ "$1" = plugin ]; then mv -f $object.off $object; else mv -f $object $object.off; fi 2>/dev/null || true; }
# daemon none|plugin: restarts the daemon without or with the plugin; active interfaces stay up
daemon() {
    must systemctl stop NetworkManager
    plugin "$1"
    systemctl reset-failed
    nm_start
    if grep -q nm-device-plugin-infiniband "/proc/$(pidof NetworkManager)/maps"; then is "$1" plugin; else is "$1" none; fi || exit 1
}
# in_turns ROUNDS COMMAND: runs COMMAND ROUND none and COMMAND ROUND plugin in each round, in alternating order
in_turns() {
    local round part
    for ((round = 0; round < $1; round++)); do
        for part in $([ $((round % 2)) = 0 ] && echo none plugin || echo plugin none); do "$2" $round $part; done
    done
}
