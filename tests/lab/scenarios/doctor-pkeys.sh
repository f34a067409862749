# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor: P_Keys, and two interfaces in one IP subnet
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx4_1 rev=0xb0
nm_start
profile storage ifname ib0 connection.autoconnect yes
child lnet ib0 0x8002 connection.autoconnect yes
must up storage
must up lnet
expect_carrier ib0.8002 1

hca pkey mlx4_0 1 2 0
check "P_Key of a child missing in the table: pkey-not-in-table, exit 4" eventually doctor_finds pkey-not-in-table 4
check "P_Key of a child missing in the table: names the child" is "$(doctor_field where)" ib0.8002
hca pkey mlx4_0 1 2 0x0002
hca event mlx4_0 1 rereg
check "child that is a limited member: pkey-limited, exit 1" eventually doctor_finds pkey-limited 1
hca pkey mlx4_0 1 2 0x8002
hca event mlx4_0 1 rereg
check "P_Key in the table again, full member: no finding" eventually doctor_healthy

echo 0x8003 >/sys/module/softhca/parameters/deny_pkeys
child denied ib0 0x8003
nmcli -w 3 connection up denied >/dev/null 2>&1
check "broadcast group that the port may not join: no-broadcast-group, exit 4" eventually doctor_finds no-broadcast-group 4
check "broadcast group that the port may not join: names the child" is "$(doctor_field where)" ib0.8003
must nmcli connection delete denied
check "profile of the refused child deleted: no finding" eventually doctor_healthy

port_state mlx4_0 2 active
must ip address add 10.5.0.1/24 dev ib0
must ip link set ib1 up
must ip address add 10.5.0.2/24 dev ib1
check "two interfaces in one IP subnet: same-subnet, exit 1" eventually doctor_finds same-subnet 1
for link in ib0 ib1; do sysctl -qw net.ipv4.conf.$link.arp_ignore=1 net.ipv4.conf.$link.arp_announce=2 net.ipv4.conf.$link.rp_filter=2; done
check "two interfaces in one IP subnet, ARP set for that, one route: same-subnet" doctor_finds same-subnet 1
must ip route add 10.5.0.0/24 dev ib1 table 7
must ip rule add from 10.5.0.2 table 7
check "two interfaces in one IP subnet, ARP, route and rule set for that: no finding" doctor_healthy
must ip rule delete from 10.5.0.2 table 7
must ip address flush dev ib1
