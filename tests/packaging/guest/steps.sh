# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# What the scenarios about packages share: an interface at work, and steps that it must not notice. Read after lib.sh; the packages lie in
# the job's directory.
export DEBIAN_FRONTEND=noninteractive
package=network-manager-infiniband
object=/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so
hint='systemctl restart NetworkManager'
first=$(echo "$JOB"/${package}_*-1~*.deb) next=$(echo "$JOB"/${package}_*-2~*.deb)
# The guest leaves documentation out of what is installed; here all of the package is to be there.
rm -f /etc/dpkg/dpkg.cfg.d/99mmdebstrap
mkdir -p /run/steps

# fabric_at_work: ib0 of an mlx4 HCA of revision a0 (no TSO with us), with a peer to ping, brought up by the profile x
fabric_at_work() {
    fabric rev=0xa0
    peer ib1 datagram 192.0.2.2/24
    nm_start
    profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
    expect_up x
    expect_ping 192.0.2.2
}
# untouched: all that a step may not change: the daemon's process, the activation, the interface; with `restarts` the interface alone,
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
# ping_begin, ping_end: a ping that runs meanwhile; none may be lost but one that is on its way at the end
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
# step "words" COMMAND...: a step of the package's life, which ib0 does not notice; what it said is in /run/steps/said
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
    check "  no ping of $sent is lost" eval "is $lost 0 && [ $((sent - answered)) -le 1 ]"
    check "  the same as before: interface$all" diff /run/steps/before /run/steps/after
    [ -n "${restarts:-}" ] || check "  NetworkManager changes no state of ib0" not _said 'device \(ib0\): state change' -u NetworkManager
}
expect_hint() { check "  what has to be restarted is said once" eval "is \"\$(grep -c '$hint' /run/steps/said)\" 1 || { cat /run/steps/said; false; }"; }
install() { apt-get install -qy "$@"; }
# objects: what the daemon has loaded
objects() { awk '$6 ~ /\.so/ { print $6 }' "/proc/$(systemctl show -P MainPID NetworkManager)/maps" | sort -u; }
# expect_work: after a restart the plugin is in the daemon, and does its job; each time another MTU is asked for, since what is known
# is not said again
wish=4092
expect_work() {
    nm_restart
    modify x infiniband.mtu $((wish -= 1))
    check "the daemon has the plugin that is installed" eventually eval "objects | grep -x $object"
    journal_mark
    expect_up x
    expect_mtu ib0 2044
    expect_tso ib0 off
    expect_journal_once "nm-ib: .*ib0: MTU $wish was asked for, 2044 is in effect"
    expect_ping 192.0.2.2
    expect_nm_alive
    expect_profile_kept x
}
# expect_alone: NetworkManager without us: the MTU without a word, and an HCA that appears keeps its TSO
expect_alone() {
    nm_restart
    check "nothing of ours is in the daemon" eval "! objects | grep infiniband"
    journal_mark
    expect_up x
    expect_mtu ib0 2044
    check "  nobody speaks of the MTU" never 5 _said 'nm-ib'
    must ip netns delete peer
    fabric_unload
    fabric rev=0xa0
    peer ib1 datagram 192.0.2.2/24
    expect_up x
    expect_tso ib0 on
    expect_ping 192.0.2.2
}
# machine: every file of the machine, and what is in it, but for what lives by itself:
#   logs and caches; dpkg's and apt's own records; the daemon's state and the profile under test; clocks and seeds of the running
#   system; what the test itself writes
alive=(/var/log /var/cache /var/lib/dpkg /var/lib/apt /var/lib/NetworkManager /etc/NetworkManager/system-connections /var/lib/systemd
    /var/lib/lab /tmp /var/tmp /root)
machine() {
    local dir but=()
    for dir in "${alive[@]}"; do but+=(-path "$dir" -prune -o); done
    find / -xdev "${but[@]}" -printf '%p %y %m %U:%G %l\n' | LC_ALL=C sort
    find / -xdev "${but[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum
}
