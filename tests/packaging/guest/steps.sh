# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# The common part of the scenarios about packages: an interface in use, and steps that must not change it. Read after lib.sh; the packages are in
# the job's directory.
export DEBIAN_FRONTEND=noninteractive
package=network-manager-infiniband
object=/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so
hint='systemctl restart NetworkManager'
first=$(echo "$JOB"/${package}_*-1~*.deb) next=$(echo "$JOB"/${package}_*-2~*.deb)
# The guest excludes documentation from installations; here the whole package is needed.
rm -f /etc/dpkg/dpkg.cfg.d/99mmdebstrap
mkdir -p /run/steps

# fabric_at_work: ib0 of an mlx4 HCA of revision a0 (nm-ib switches TSO off), with a peer to ping, activated by the profile x
fabric_at_work() {
    fabric rev=0xa0
    peer ib1 datagram 192.0.2.2/24
    nm_start
    profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
    expect_up x
    expect_ping 192.0.2.2
}
# untouched: all that a step may not change: the daemon's process, the activation, the interface; with `restarts` only the interface,
# for packages that restart the daemon themselves
untouched() {
    [ -n "${restarts:-}" ] || systemctl show -P MainPID -P NRestarts -P InvocationID NetworkManager
    [ -n "${restarts:-}" ] || nmcli -g GENERAL.CON-PATH,GENERAL.STATE device show ib0
    cat $NET/ib0/{ifindex,flags,mode,mtu,carrier,carrier_changes}
    ip -o -4 address show dev ib0
}
version() { dpkg-query -Wf '${Version}' $package 2>/dev/null; }
state() { dpkg-query -Wf '${db:Status-Status}' $package 2>/dev/null; }
audit() { is "$(dpkg --audit)" ''; }
# ping_begin, ping_end: a ping during the step; none may be lost, except for one that has no answer yet at the end
ping_begin() {
    ping -n -i 0.2 192.0.2.2 >/run/steps/ping &
    pinging=$!
    sleep 0.5
}
ping_end() {
    kill -INT $pinging
    wait $pinging || true
    awk -v RS=' ' -F= '$1 == "icmp_seq" { seen[$2 + 0] = 1; if ($2 + 0 > last) last = $2 + 0 }
        END { for (i = 1; i <= last; i++) if (!(i in seen)) lost++; print last + 0, lost + 0 }' /run/steps/ping >/run/steps/pings
    read -r answered lost </run/steps/pings
    read -r sent _ < <(grep 'packets transmitted' /run/steps/ping)
}
# step "words" COMMAND...: a step of the package's life, which must not change ib0; its output is in /run/steps/said
step() {
    local words=$1 status=0 all=", activation and daemon"
    shift
    [ -z "${restarts:-}" ] || all=
    note "$words"
    journal_mark
    untouched >/run/steps/before
    ping_begin
    "$@" >/run/steps/said 2>&1 </dev/null || status=$?
    sleep 1
    ping_end
    untouched >/run/steps/after
    check "$words: status $status" eval "is $status ${expected:-0} || { tail -n 30 /run/steps/said; false; }"
    check "$words: no ping of $sent is lost" eval "is $lost 0 && [ $((sent - answered)) -le 1 ]"
    check "$words: unchanged: interface$all" diff /run/steps/before /run/steps/after
    [ -n "${restarts:-}" ] || check "$words: NetworkManager changes no state of ib0" not _said 'device \(ib0\): state change' -u NetworkManager
}
expect_hint() { check "package manager's output: names the restart once" eval "is \"\$(grep -c '$hint' /run/steps/said)\" 1 || { cat /run/steps/said; false; }"; }
install() { apt-get install -qy "$@"; }
# objects: the objects that the daemon has loaded
objects() { awk '$6 ~ /\.so/ { print $6 }' "/proc/$(systemctl show -P MainPID NetworkManager)/maps" | sort -u; }
# expect_work: after a restart the daemon has the plugin, and the plugin works; each time with another MTU, since a repeated line
# is not logged
wish=4092
expect_work() {
    nm_restart
    modify x infiniband.mtu $((wish -= 1))
    check "daemon: has loaded the installed plugin" eventually eval "objects | grep -x $object"
    journal_mark
    expect_up x
    expect_mtu ib0 2044
    expect_tso ib0 off
    expect_journal_once "nm-ib: .*ib0: MTU $wish was requested, 2044 is in effect"
    expect_ping 192.0.2.2
    expect_nm_alive
    expect_profile_kept x
}
# expect_alone: NetworkManager without nm-ib: nothing logged about the MTU, and an HCA that appears keeps its TSO
expect_alone() {
    nm_restart
    check "daemon: has loaded nothing of nm-ib" eval "! objects | grep infiniband"
    journal_mark
    expect_up x
    expect_mtu ib0 2044
    check "MTU limit: not logged" never 5 _said 'nm-ib'
    must ip netns delete peer
    fabric_unload
    fabric rev=0xa0
    peer ib1 datagram 192.0.2.2/24
    expect_up x
    expect_tso ib0 on
    expect_ping 192.0.2.2
}
# machine: every file of the machine with its contents, except for files that change by themselves:
#   logs and caches; dpkg's and apt's own records; the daemon's state and the profile under test; clocks and seeds of the running
#   system; files of the test itself
alive=(/var/log /var/cache /var/lib/dpkg /var/lib/apt /var/lib/NetworkManager /etc/NetworkManager/system-connections /var/lib/systemd
    /var/lib/lab /tmp /var/tmp /root)
machine() {
    local dir but=()
    for dir in "${alive[@]}"; do but+=(-path "$dir" -prune -o); done
    find / -xdev "${but[@]}" -printf '%p %y %m %U:%G %l\n' | LC_ALL=C sort
    find / -xdev "${but[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum
}
