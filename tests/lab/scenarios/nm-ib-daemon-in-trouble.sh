# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib with a daemon that is stopped, refuses or dies: nmcli's exit codes, and the old or the new profile
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram mtu 2044
signal() { must systemctl kill --kill-who main -s "$1" NetworkManager; }
# in_trouble SIGNAL COMMAND...: the daemon is stopped when COMMAND starts, and gets SIGNAL a second later
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
answer() { "$@" 2>&1 | grep -v '^nm-ib: '; echo "code ${PIPESTATUS[0]}"; } # a forecast is not part of nmcli's answer
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

check "modify, daemon stopped and continued: succeeds" in_trouble CONT change 1500
check "modify, daemon stopped and continued: the profile has the new MTU" stored 1500

signal STOP
# fails_at_sigint COMMAND...: after SIGINT, COMMAND ends with 130 (nmcli's status after SIGINT) or an error, not by a crash
fails_at_sigint() {
    local code=0
    timeout --preserve-status -s INT 1 "$@" || code=$?
    echo "exit status $code"
    [ $code = 130 ] || ((code > 0 && code < 124))
}
check "modify, daemon stopped, SIGINT: fails" fails_at_sigint nm-ib connection modify x infiniband.mtu 1700
signal CONT
check "modify, daemon stopped, SIGINT: the profile is the old or the new one" eval 'nmcli connection show x && stored "1500|1700"'
must nmcli connection modify x infiniband.mtu 1500

# interrupted COMMAND...: the output and exit code after SIGINT; the shell ignores SIGINT for a command in the background
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
    check "interrupted, $words: output and exit code of nmcli" ends_as_nmcli connection $words
done
check "modify, daemon stopped: reports a timeout, not an unknown profile" \
    is "$(answer change 1700)" $'Error: Could not create NMClient object: Timeout was reached.\ncode 1'
signal CONT
check "modify, daemon stopped: the profile is unchanged" stored 1500

for words in 'modify x infiniband.mtu 1600' 'modify nothere infiniband.mtu 1600' 'show x' 'add type infiniband con-name y ifname ib0'; do
    # shellcheck disable=SC2086
    check "unprivileged user, $words: nmcli's answer" \
        is "$(answer as_nobody nm-ib connection $words)" "$(answer as_nobody nmcli connection $words)"
done
check "unprivileged user: nothing is stored" eval 'stored 1500 && ! nmcli connection show y'

must mkdir -p /run/systemd/system/NetworkManager.service.d
printf '[Service]\nRestart=no\n' >/run/systemd/system/NetworkManager.service.d/dies.conf
must systemctl daemon-reload
dies() { is "$(answer in_trouble KILL change 1800)" "$1"; }
gone=$'Error: NetworkManager is not running.\ncode 8'
check "modify, daemon dies meanwhile: exit 8" dies "$gone"
check "modify, daemon not running: exit 8" is "$(answer change 1800)" "$gone"
check "modify, daemon not running: the profile is unchanged" stored 1500
systemctl reset-failed NetworkManager
nm_start
check "modify, daemon running again: succeeds" change 1800
check "profile, daemon running again: comes up" up x
expect_mtu ib0 1800
