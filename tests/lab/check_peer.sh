# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Verbs for nm-ib check, towards a peer on 192.0.2.2; sourced after lib.sh

PEER=192.0.2.2
check_start="route:ok carrier:ok neighbour:ok"
# check_finds "STEP:RESULT..." EXIT OPTION...: exactly these steps in this order, and this exit code
check_finds() {
    local code=0
    nm-ib check "${@:3}" --json >/run/found || code=$?
    is "$(jq -r '[.steps[] | .step + ":" + .result] | join(" ")' /run/found) $code" "$1 $2"
}
check_said() { jq -r '.steps[].seen' /run/found | grep -E -- "$1"; }
# check_all_well: all steps pass, without throughput
check_all_well() { check "check of the peer: all steps pass" eventually check_finds "$check_start ping:ok large-ping:ok" 0 $PEER --no-iperf; }
# two_ends: ib0, and ib1 of the peer, both up
two_ends() {
    peer ib1 datagram $PEER/24 2001:db8::2/64
    must ip address add 192.0.2.1/24 dev ib0
    must ip address add 2001:db8::1/64 dev ib0 nodad
    must ip link set ib0 up
    expect_carrier ib0 1
}
