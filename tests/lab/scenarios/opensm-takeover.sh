# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: with a real opensm: a cable is pulled, a switch port is disabled, another opensm takes over while a child is in use
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
# files: compare_ibstat.py
. ./lib.sh
modprobe ib_umad
fabric sm=none name=mlx4_0,mlx4_1 ports=2,1
first=0x0002c903000a0001
second=0x0002c903000a0011
port() { prints -x "$2" nm-ib -t -e no -f "$1" port; }
shown() { nm-ib -g "$1" port show "$2"; }
# manager STATE LID: the state that the subnet manager at LID reports
manager() { sminfo -C mlx4_0 -P 1 "$2" | grep -F "SMINFO_$1"; }
lid() { shown PORT.LID "$1"; }

nm_start
mkdir -p /etc/opensm
cat >/etc/opensm/partitions.conf <<'EOF'
Default=0x7fff, ipoib, mtu=5 : ALL=full;
Name=0x8002, ipoib, mtu=5, defmember=full : ALL;
EOF
printf 'sminfo_polling_timeout 1000\npolling_retry_number 2\nsweep_interval 600\n' >/etc/opensm/opensm.conf
must systemctl start "opensm@$first"
check "opensm: brings the ports to Active" eventually eval "
    port PORT,STATE 'mlx4_0/1:Active' && port PORT,STATE 'mlx4_0/2:Active' && port PORT,STATE 'mlx4_1/1:Active'"
profile office ifname ib0 transport-mode connected ipv4.method manual ipv4.addresses 10.7.0.1/24
child storage ib0 0x8002 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 10.7.2.1/24
expect_up office
expect_carrier ib0 1
expect_up storage
expect_carrier ib0.8002 1
peer ib2 connected 10.7.0.2/24
peer_child ib2 0x8002 far 10.7.2.2/24
expect_ping 10.7.0.2 20000
expect_ping 10.7.2.2 4064

port_state mlx4_0 2 down
check "mlx4_0/2, cable pulled: Down" port PORT,STATE 'mlx4_0/2:Down'
port_state mlx4_0 2 init
check "mlx4_0/2, cable back: Active, since the switch's trap wakes opensm" eventually port PORT,STATE 'mlx4_0/2:Active'

switch=$(ibswitches -C mlx4_0 -P 1 | sed -n 's/.*"softhca switch".* lid \([0-9]*\) .*/\1/p')
must ibportstate -C mlx4_0 -P 1 "$switch" 2 disable
check "mlx4_0/2, switch port disabled: Down and Polling" port PORT,STATE,PHYSICAL_STATE 'mlx4_0/2:Down:Polling'
must ibportstate -C mlx4_0 -P 1 "$switch" 2 enable
check "mlx4_0/2, switch port enabled: Active" eventually port PORT,STATE 'mlx4_0/2:Active'

must systemctl start "opensm@$second"
there=$(shown PORT.LID mlx4_1/1)
must test -n "$there"
check "second opensm: reports STANDBY" eventually manager STANDBY "$there"
check "first opensm: reports MASTER" manager MASTER "$(lid ib0)"
must systemctl kill -s KILL "opensm@$first"
check "first opensm killed: the second reports MASTER" eventually manager MASTER "$there"
check "first opensm killed: the ports have the LID of the second" eventually eval "prints_only '$there' shown PORT.SM_LID ib0 && prints_only '$there' shown PORT.SM_LID ib1"
check "first opensm killed: the tools agree with nm-ib" eventually python3 compare_ibstat.py
expect_carrier ib0.8002 1
expect_ping 10.7.2.2 4064
expect_ping 10.7.0.2
expect_nm_alive
expect_clean_kernel_log
