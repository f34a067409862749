# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib asks a daemon that stands still, refuses or dies: nmcli's codes, and a profile that is the old or the new one
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram mtu 2044
signal() { must systemctl kill --kill-who main -s "$1" NetworkManager; }
# in_trouble SIGNAL COMMAND...: the daemon stands still while it is asked, and gets the signal a second later
in_trouble() {
    local status=0
    signal STOP
    { sleep 1; signal "$1"; } &
    "${@:2}" || status=$?
    wait $!
    return $status
}
change() { nm-ib connection modify x infiniband.mtu "$1"; }
stored() { grep -xE "mtu=($1)" "$(_file x)"; }
answer() { "$@" 2>&1 | grep -vE '^nm-ib: (warning|note):'; echo "code ${PIPESTATUS[0]}"; } # a forecast is no part of nmcli's answer
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

check "modify waits for a daemon that stands still" in_trouble CONT change 1500
check "  and is done" stored 1500

signal STOP
check "modify is interrupted" not timeout -s INT 1 nm-ib connection modify x infiniband.mtu 1700
signal CONT
check "  and the profile is the old or the new one" eval 'nmcli connection show x && stored "1500|1700"'
must nmcli connection modify x infiniband.mtu 1500

# interrupted PROGRAM WORDS...: what it says, in a shell's background, which ignores SIGINT for it
interrupted() {
    local pid out=/tmp/interrupted
    "$@" >$out 2>&1 &
    pid=$!
    sleep 1
    kill -INT $pid
    local code=0
    wait $pid || code=$?
    echo "$(grep -v '^nm-ib: ' $out) code $code"
}
ends_as_nmcli() { is "$(interrupted nm-ib "$@")" "$(interrupted nmcli "$@")"; }
signal STOP
for words in 'modify x infiniband.mtu 1700' 'modify nothere infiniband.mtu 1700' 'show x' 'add type infiniband con-name y ifname ib0'; do
    # shellcheck disable=SC2086
    check "interrupted, $words ends as with nmcli" ends_as_nmcli connection $words
done
check "modify says that the daemon does not answer, not that there is no such profile" \
    is "$(answer change 1700)" $'Error: Could not create NMClient object: Timeout was reached.\ncode 1'
signal CONT
check "modify that got no answer changes nothing" stored 1500

for words in 'modify x infiniband.mtu 1600' 'modify nothere infiniband.mtu 1600' 'show x' 'add type infiniband con-name y ifname ib0'; do
    # shellcheck disable=SC2086
    check "a user who may not gets nmcli's answer to $words" \
        is "$(answer as_nobody nm-ib connection $words)" "$(answer as_nobody nmcli connection $words)"
done
check "  and nothing is stored" eval 'stored 1500 && ! nmcli connection show y'

must mkdir -p /run/systemd/system/NetworkManager.service.d
printf '[Service]\nRestart=no\n' >/run/systemd/system/NetworkManager.service.d/dies.conf
must systemctl daemon-reload
dies() { is "$(answer in_trouble KILL change 1800)" "$1"; }
gone=$'Error: NetworkManager is not running.\ncode 8'
check "the daemon dies in the middle: code 8" dies "$gone"
check "it is not there at all: code 8" is "$(answer change 1800)" "$gone"
check "  and the profile is the old one" stored 1500
systemctl reset-failed NetworkManager
nm_start
check "with the daemon back it is modified" change 1800
check "  and comes up with that" up x
expect_mtu ib0 1800
