# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host opensm beside files of the administrator's: they stay, and the lines are shown
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric sm=none name=mlx4_0,mlx4_1 ports=2,1
first=0x0002c903000a0001 second=0x0002c903000a0011
conf=/etc/opensm/partitions.conf

nm_start
profile storage ifname ib0 transport-mode datagram mtu 4092
child group ib0 0x8002 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 10.7.2.1/24
host_mark
printf '# mine\nDefault=0x7fff, ipoib : ALL=full;\nA=0x8002, ipoib : ALL=full;\n' >$conf
check "a file of the administrator's: the lines are shown" eval "nm-ib host opensm $second | grep -Fx 'P8002=0x8002, ipoib, mtu=5, defmember=full : ALL;'"
check "  and it stays" grep -x '# mine' $conf
child mine ib0 0x8666 connection.permissions user:nobody
check "a private profile asks the fabric for nothing" not eval "nm-ib host opensm $second | grep -i 8666"
must nmcli connection delete mine
check "unset leaves it alone, and starts nothing" eval "nm-ib host opensm unset >/run/said && not grep 'In effect after' /run/said && grep -x '# mine' $conf"
rm $conf
expect_host_files
echo 'partition_config_file /etc/opensm/other.conf' >/etc/opensm/opensm.conf
check "where opensm.conf names another file: that one is named" eval "nm-ib host opensm $first --dry-run | grep -F 'Lines for /etc/opensm/other.conf'"
rm /etc/opensm/opensm.conf
expect_host_files
# As on EL: no template, and the unit's script reads /etc/sysconfig/opensm.
must mv /usr/lib/systemd/system/opensm@.service /run/
mkdir -p /etc/sysconfig
for line in "GUIDS=\"$second\"" "PRIORITY=2; export GUIDS=$second"; do
    echo "$line" >/etc/sysconfig/opensm
    host_mark
    check "a line of /etc/sysconfig/opensm that overrides the drop-in is named: $line" eval \
        "! nm-ib host opensm $first 2>/run/err; grep -Fx \"Error: '\$line' in /etc/sysconfig/opensm overrides what nm-ib would write; delete that line and try again, or set the ports there, without nm-ib\" /run/err"
    expect_host_files
done
echo PRIORITY=3 >/etc/sysconfig/opensm
host_mark
mkdir -p /etc/rdma
in_the_way() { # FILE TEXT WORDS
    echo "$2" >"/etc/rdma/$1"
    ! nm-ib host opensm $first 2>/run/err && is "$(wc -l </run/err)" 1 && grep -F "$3" /run/err
    local code=$?
    rm "/etc/rdma/$1"
    return $code
}
check "a file for a subnet manager of its own is named" in_the_way opensm.conf.1 "guid $second" '/etc/rdma/opensm.conf.1 is for a subnet manager of its own'
check "another subnet prefix is named" in_the_way opensm.conf 'subnet_prefix 0xfe80000000000007' '/etc/rdma/opensm.conf has another subnet_prefix'
check "a file of the shell that cannot be read is named" eval "mv /etc/sysconfig/opensm /run/sysconfig-opensm && ln -s /run/sysconfig-opensm /etc/sysconfig/opensm &&
    ! nm-ib host opensm $first 2>/run/err && grep -F /etc/sysconfig/opensm /run/err; mv /run/sysconfig-opensm /etc/sysconfig/opensm"
check "a priority there is not in the way of a port" host_changes true opensm $first
check "two ports: what opensm-launch makes of them is said" eval "nm-ib host opensm $first $second 2>&1 | grep -F 'another subnet prefix'"
check "  a unit that is not enabled: that, too" eval "nm-ib host opensm $first | grep -F 'In effect after: systemctl enable opensm; systemctl stop opensm; systemctl start opensm'"
check "  the list has it" host_row NOUN,SETTING,BY_NM_IB "opensm:PRIORITY=3:no"
check "  undone" host_changes true opensm unset
expect_host_files
expect_nm_alive
expect_clean_kernel_log
