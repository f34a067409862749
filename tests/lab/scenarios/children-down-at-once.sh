# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the removal of partitions that went down does not delay the events of other interfaces
# with: dispatcher
# releases: bookworm trixie
# alone: the children stay
. ./lib.sh
fabric
cat >/etc/NetworkManager/dispatcher.d/90-seen <<'END'
#!/bin/sh
[ "$2" != up ] || cut -d' ' -f1 /proc/uptime >"/run/up-$1"
END
chmod 755 /etc/NetworkManager/dispatcher.d/90-seen
nm_start
must nmcli connection add type dummy con-name other ifname other connection.autoconnect no ipv4.method disabled ipv6.method disabled
for key in 5 6 7; do
    # The port's table lacks these keys, so no child gets a carrier and an activation may wait for one.
    child "c$key" ib0 "0x800$key" transport-mode datagram
done
# time_of_event: seconds from the activation until the script in dispatcher.d has run
time_of_event() {
    local start end
    rm -f /run/up-other
    start=$(cut -d' ' -f1 /proc/uptime)
    must up other
    must eventually test -s /run/up-other
    end=$(cat /run/up-other)
    must down other
    echo "$start $end" | awk '{ printf "%.1f", $2 - $1 }'
}
state_files() { find /run/NetworkManager/nm-infiniband -name 'child-*' | wc -l; }
up_all() {
    for key in 5 6 7; do expect_up "c$key"; done
    check "a state file exists for each of the three children" eventually_is 3 state_files
}
# NetworkManager does not remove the interfaces that it made before its restart.
all_down() {
    nm_restart
    for key in 5 6 7; do expect_state "ib0.800$key" connected; done
    must nmcli connection down c5 c6 c7
}
removed() { journal | grep -c 'had left it behind'; }
alone=$(time_of_event)
up_all
all_down
with=$(time_of_event)
note "the event of another interface came after $alone s, and after $with s with three children that had gone down"
check "the event of another interface is not delayed by 10 s or more" awk "BEGIN { exit !($with < $alone + 10) }"
for key in 5 6 7; do expect_no_link "ib0.800$key"; done
check "the journal reports the removal of each child" eventually_is 3 removed
expect_no_journal 'remains running|left-over process'
expect_nm_alive
