# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host opensm: from all ports to one, to another and back, with the printed commands; the partition lines are printed
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric sm=none name=mlx4_0,mlx4_1 ports=2,1
first=0x0002c903000a0001 second=0x0002c903000a0011
conf=/etc/opensm/partitions.conf
# all_ports: an opensm runs on each of the three ports. Starts an opensm that ended again, twice, since the units do not
# restart it; then prints the journal of the units
all_ports() {
    local tries WAIT=30
    for tries in 1 2 3; do
        if eventually_is "$first 0x0002c903000a0002 $second" sms; then
            return
        fi
        journalctl -b -o cat -u "opensm*" | tail -n 24
        systemctl restart opensm
    done
    return 1
}
# sms: the ports with a running opensm
sms() { systemctl list-units --plain --no-legend --state=active 'opensm@*' | sed 's/opensm@\([^.]*\).*/\1/' | sort | paste -sd ' '; }
keys() { nm-ib -g P_KEY port show "$1"; }
# as_printed WORD...: writes the setting, and runs the commands that nm-ib prints
as_printed() {
    nm-ib host opensm "$@" >/run/said || return
    sed -n '/^To apply the setting:$/,$s/^  //p' /run/said >/run/commands
    grep -q systemctl /run/commands && sh -e /run/commands
}

nm_start
systemctl enable -q opensm # like Debian's package
must systemctl start opensm # starts the opensm of each port, and does not wait for them
check "default configuration: opensm runs on every port" all_ports
profile storage ifname ib0 transport-mode datagram mtu 4092
child group ib0 0x8002 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 10.7.2.1/24
host_mark
check "opensm PORT --dry-run: prints PORTS" prints "PORTS=$first" nm-ib host opensm $first --dry-run
expect_host_files
while IFS='|' read -r words text; do
    check "host $words: refused" host_refuses "$text" $words
done <<END
opensm 1 2|1: no such InfiniBand port
opensm 0x1111111111111111|0x1111111111111111: no such InfiniBand port
opensm $first priority 7|priority: no such InfiniBand port
opensm $first unset|unset: no such InfiniBand port
opensm $first --now|unknown option '--now'
END
expect_host_files
check "opensm, from all ports to one: the printed commands work" as_printed $first
check "opensm, one port: the list shows the port as set and in effect" eventually host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "0002:c903:000a:0001:yes:0002:c903:000a:0001:"
check "opensm, one port: runs on this port only" is "$(sms)" $first
check "opensm, one port: second run changes nothing" host_changes false opensm 0x0002C903000A0001
check "opensm, one port: the partition lines are printed" grep -Fx 'P8002=0x8002, ipoib, mtu=5, defmember=full : ALL;' /run/said
check "opensm, one port: partitions.conf is not written" test ! -e $conf
sed -n '/ALL;$/p' /run/said >$conf
check "opensm, from one port to another: the printed commands work" as_printed $second
check "opensm, other port: runs on this port only" eventually_is $second sms
check "opensm, back to the first port: the printed commands work" as_printed $first
check "opensm, first port again: runs on this port only" eventually_is $first sms
check "opensm, partition lines in the file: not printed again" not grep ALL /run/said
check "opensm, first port again: the port becomes Active" eventually_is Active nm-ib -g PORT.STATE port show ib0
check "opensm, first port again: the P_Key table has the partition of the file" eventually prints '0x8002 full' keys ib0
expect_up storage
expect_mtu ib0 4092
expect_up group
expect_carrier ib0.8002 1
expect_mtu ib0.8002 4092
peer ib2 datagram
peer_child ib2 0x8002 far 10.7.2.2/24
expect_ping 10.7.2.2 4064

cp $conf /run/conf
check "opensm unset: the printed commands work" as_printed unset
check "opensm unset: second run changes nothing" host_changes false opensm unset
check "opensm unset: the administrator's partitions.conf stays" cmp $conf /run/conf
rm $conf
expect_host_files
check "opensm unset: runs on every port again" all_ports
expect_nm_alive
expect_clean_kernel_log
