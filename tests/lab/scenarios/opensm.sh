# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a real opensm brings ports from Init to Active; its partitions and their MTU reach the profiles
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
# files: compare_ibstat.py
. ./lib.sh
modprobe ib_umad
fabric sm=none name=mlx4_0,mlx4_1 ports=2,1
first=0x0002c903000a0001
port() { prints -x "$2" nm-ib -t -e no -f "$1" port; }
shown() { nm-ib -g "$1" port show "$2"; }
# manager STATE LID: the state that the subnet manager at LID reports
manager() { sminfo -C mlx4_0 -P 1 "$2" | grep -F "SMINFO_$1"; }
lid() { shown PORT.LID "$1"; }
distinct_lids() {
    local all
    all=$(lid ib0 && lid ib1 && lid ib2) || return
    sort -u <<<"$all" | grep -vcx 0
}

nm_start
check "no subnet manager: all ports are in Init" eval "
    port PORT,STATE,LID,SM_LID 'mlx4_0/1:Init:0:0' && port PORT,STATE 'mlx4_1/1:Init'"
check "no subnet manager: the tools agree with nm-ib" python3 compare_ibstat.py
check "doctor, no subnet manager: no-subnet-manager" prints -s 4 '[no-subnet-manager]' nm-ib doctor mlx4_0/1
check "no subnet manager: ibnetdiscover finds the switch" prints -E '^Switch.*softhca switch' ibnetdiscover

mkdir -p /etc/opensm
cat >/etc/opensm/partitions.conf <<'EOF'
Default=0x7fff, ipoib, mtu=5 : ALL=full;
Name=0x8002, ipoib, mtu=5, defmember=full : ALL;
EOF
printf 'sminfo_polling_timeout 1000\npolling_retry_number 2\nsweep_interval 600\n' >/etc/opensm/opensm.conf
must systemctl start "opensm@$first"
check "opensm: brings the ports to Active" eventually eval "
    port PORT,STATE 'mlx4_0/1:Active' && port PORT,STATE 'mlx4_0/2:Active' && port PORT,STATE 'mlx4_1/1:Active'"
check "opensm: gives each port its own LID" prints_only 3 distinct_lids
check "opensm: mlx4_0/1 has an MTU of 4096" port PORT,MTU_ACTIVE 'mlx4_0/1:4096'
check "opensm: reports MASTER" manager MASTER "$(lid ib0)"
check "opensm: the P_Key of partitions.conf is in the table" eventually prints -x '0x8002 full' shown P_KEY ib0
check "opensm: ibstat, smpquery, sminfo, ibnetdiscover and perfquery agree with nm-ib" eventually python3 compare_ibstat.py
check "doctor, opensm runs: no finding" eventually doctor_content mlx4_0/1

profile office ifname ib0 transport-mode connected ipv4.method manual ipv4.addresses 10.7.0.1/24
child storage ib0 0x8002 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 10.7.2.1/24
expect_up office
expect_carrier ib0 1
expect_up storage
expect_carrier ib0.8002 1
expect_mtu ib0.8002 4092
peer ib2 connected 10.7.0.2/24
peer_child ib2 0x8002 far 10.7.2.2/24
expect_ping 10.7.0.2 20000
expect_ping 10.7.2.2 4064

echo 'Slow=0x8003, ipoib, mtu=4, defmember=full : ALL;' >>/etc/opensm/partitions.conf
must systemctl kill -s HUP "opensm@$first"
check "opensm: a new partition reaches the table while the interfaces are up" eventually prints -E '^0x8003 full' shown P_KEY ib0
child slow ib0 0x8003 transport-mode datagram mtu 4092
journal_mark
expect_up slow
expect_mtu ib0.8003 2044
expect_journal_once 'nm-ib: .*ib0.8003: MTU 4092 was requested, 2044 is in effect'
expect_nm_alive
expect_clean_kernel_log
