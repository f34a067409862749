# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host opensm: on these ports, with the partitions that profiles ask for, and the real opensm gives them; undone, all is as before
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric sm=none name=mlx4_0,mlx4_1 ports=2,1
first=0x0002c903000a0001 second=0x0002c903000a0011
conf=/etc/opensm/partitions.conf
# all_ports: an opensm runs on each of the three ports. One that ended by itself is started again, twice, since its unit
# never does that; prints the journal of the units if it was needed
all_ports() {
    local tries WAIT=30
    for tries in 1 2 3; do
        if eventually eval "is \"\$(sms)\" '$first 0x0002c903000a0002 $second'"; then
            return
        fi
        journalctl -b -o cat -u "opensm*" | tail -n 24
        systemctl restart opensm
    done
    return 1
}
# sms: the ports on which an opensm runs
sms() { systemctl list-units --plain --no-legend --state=active 'opensm@*' | sed 's/opensm@\([^.]*\).*/\1/' | sort | paste -sd ' '; }
keys() { nm-ib -g P_KEY port show "$1"; }
sweep() { must systemctl restart opensm; }

nm_start
must systemctl start opensm # it starts the others, and waits for none of them
check "a file of defaults starts one on every port" all_ports
must systemctl stop opensm
profile storage ifname ib0 transport-mode datagram mtu 4092
child group ib0 0x8002 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 10.7.2.1/24
host_mark
check "what would be written, with the partitions" eval "nm-ib host opensm $first priority 7 --dry-run | grep -Fx 'P8002=0x8002, ipoib, mtu=5, defmember=full : ALL;'"
expect_host_files
for words in opensm "opensm 1 2" "opensm 0x1111111111111111" "opensm $first priority 16" "opensm priority 1" "opensm $first default" "opensm $first --now"; do
    check "refused: host $words" host_refuses $words
done
expect_host_files
check "on one port, with a priority" host_changes true opensm $first priority 7
check "  twice is once" host_changes false opensm 0x0002C903000A0001 priority 7
check "  the partitions in a file of ours" grep -x 'Default=0x7fff, ipoib, mtu=5, defmember=full : ALL;' $conf
check "  the list says what it needs" host_row NOUN,SETTING,NEEDS "opensm:$first priority 7:systemctl restart opensm"
sweep
check "  opensm runs on this port only" eventually eval "is \"\$(sms)\" $first"
check "  with that priority" pgrep -af -- '--priority 7'
check "  the port becomes active" eventually eval "is \"\$(nm-ib -g PORT.STATE port show ib0)\" Active"
check "  its table has the partition" eventually eval "keys ib0 | grep -F '0x8002 full'"
check "  the list says that it is so" host_row NOUN,SETTING,BY-NM-IB,IN-EFFECT,NEEDS "opensm:$first priority 7:yes:$first:"
check "  of the partitions too" host_row NOUN,SETTING,BY-NM-IB,NEEDS "opensm:partitions 0x7fff 0x8002:yes:"
expect_up storage
expect_mtu ib0 4092
expect_up group
expect_carrier ib0.8002 1
expect_mtu ib0.8002 4092
peer ib2 datagram
peer_child ib2 0x8002 far 10.7.2.2/24
expect_ping 10.7.2.2 4064

child late ib0 0x8003 transport-mode datagram
check "a profile that came later: the list says it" host_row NOUN,SETTING,NEEDS "opensm:partitions 0x7fff 0x8002:nm-ib host opensm $first priority 7"
check "  without a priority, and with its partition" host_changes true opensm $first
check "  the drop-in for the priority is gone" test ! -e /etc/systemd/system/opensm@.service.d
sweep
expect_up late
expect_carrier ib0.8003 1
expect_mtu ib0.8003 2044
must nmcli connection delete late

check "once more, and undone while it runs" host_changes true opensm $first priority 7
sweep
check "  undone" host_changes true opensm default
check "  twice is once" host_changes false opensm default
expect_host_files
sweep
check "  one on every port, as before" all_ports
check "  and the partition is gone from the table" eventually eval "keys ib0 && ! keys ib0 | grep 0x8002"
expect_nm_alive
expect_clean_kernel_log
