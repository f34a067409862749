# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host opensm beside files of the administrator: the files stay, and the lines are printed
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
check "opensm, partitions.conf of the administrator: the lines are printed" prints -x 'P8002=0x8002, ipoib, mtu=5, defmember=full : ALL;' nm-ib host opensm $second
check "opensm, partitions.conf of the administrator: the file stays" grep -x '# mine' $conf
child mine ib0 0x8666 connection.permissions user:nobody
check "opensm, private profile: its P_Key is not in the lines" prints_no -i 8666 nm-ib host opensm $second
must nmcli connection delete mine
check "opensm unset, partitions.conf of the administrator: stays, and nothing is started" eval "nm-ib host opensm unset >/run/said && not grep 'To apply the setting' /run/said && grep -x '# mine' $conf"
rm $conf
expect_host_files
echo 'partition_config_file /etc/opensm/other.conf' >/etc/opensm/opensm.conf
check "opensm, opensm.conf names another partition file: this file is named" prints 'In /etc/opensm/other.conf, add these lines' nm-ib host opensm $first --dry-run
rm /etc/opensm/opensm.conf
expect_host_files
# Like EL: no template, and the unit's script reads /etc/sysconfig/opensm.
must mv /usr/lib/systemd/system/opensm@.service /run/
mkdir -p /etc/sysconfig
for line in "GUIDS=\"$second\"" "PRIORITY=2; export GUIDS=$second"; do
    echo "$line" >/etc/sysconfig/opensm
    host_mark
    check "opensm, line in /etc/sysconfig/opensm that overrides the drop-in: named: $line" prints -s 1 -2 -x \
        "Error: '$line' in /etc/sysconfig/opensm overrides the file of nm-ib" nm-ib host opensm $first
    expect_host_files
done
echo PRIORITY=3 >/etc/sysconfig/opensm
host_mark
mkdir -p /etc/rdma
in_the_way() { # FILE TEXT WORDS
    echo "$2" >"/etc/rdma/$1"
    local code=0
    refused_with 1 "$3" nm-ib host opensm $first || code=1
    rm "/etc/rdma/$1"
    return $code
}
check "opensm, file for a subnet manager of its own: refused, the file is named" in_the_way opensm.conf.1 "guid $second" '/etc/rdma/opensm.conf.1 is for a separate subnet manager'
check "opensm, other subnet prefix in the configuration: refused, the file is named" in_the_way opensm.conf 'subnet_prefix 0xfe80000000000007' '/etc/rdma/opensm.conf has another subnet_prefix'
must mv /etc/sysconfig/opensm /run/sysconfig-opensm
must ln -s /run/sysconfig-opensm /etc/sysconfig/opensm
check "opensm, unreadable /etc/sysconfig/opensm: refused, the file is named" refused_with 1 'Error: /etc/sysconfig/opensm: ' nm-ib host opensm $first
must mv /run/sysconfig-opensm /etc/sysconfig/opensm
check "opensm, PRIORITY in /etc/sysconfig/opensm: the port is written" host_changes true opensm $first
check "opensm with two ports: warns of another subnet prefix" prints 'another subnet prefix' nm-ib host opensm $first $second
check "opensm, unit not enabled: the commands enable it" eval "nm-ib host opensm $first >/run/said && grep '^  systemctl ' /run/said | paste -sd ';' | grep -Fx '  systemctl enable opensm;  systemctl stop opensm;  systemctl start opensm'"
check "host list: PRIORITY in /etc/sysconfig/opensm, not set by nm-ib" host_row NOUN,SETTING,BY_NM_IB "opensm:PRIORITY=3:no"
check "opensm unset: removes the setting" host_changes true opensm unset
expect_host_files
expect_nm_alive
expect_clean_kernel_log
