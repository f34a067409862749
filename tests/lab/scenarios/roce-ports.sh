# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: Ethernet (RoCE) ports beside an InfiniBand one: nm-ib port shows their GID tables as addresses come and go
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
# files: agreed.py
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx5_0,mlx4_1 ports=2,1,1 eth=2,1,1 roce=3,2,1 devid=0x1003,0x1017,0x1003 driver=mlx4_core,mlx5_core,mlx4_core
port() { nm-ib -t -e no -f "$1" port | grep -x "$2"; }
shown() { nm-ib -g "$1" port show "$2"; }
# gids LINK TEXT...: the GID table of that port, these lines and no other
gids() {
    local link=$1
    shift
    is "$(shown GID "$link")" "$(printf '%s\n' "$@")"
}
own=fe80:0000:0000:0000:0202:c9ff:fe0a
# v4 A B C D: that IPv4 address as a GID
v4() { printf '0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x' "$@"; }

check "an Ethernet port belongs to its interface" port PORT,LINK_LAYER,INTERFACE 'mlx4_0/2:RoCE:eth0'
check "  and is down with it" port PORT,STATE,PHYSICAL_STATE,LID 'mlx4_0/2:Down:Disabled:'
printf '[keyfile]\nunmanaged-devices=none\n' >/etc/NetworkManager/conf.d/roce.conf # the guest's leaves eth* alone
nm_start
check "the first port of that HCA is InfiniBand" port PORT,LINK_LAYER,STATE 'mlx4_0/1:InfiniBand:Active'
for i in 0 1 2; do
    must nmcli connection add type ethernet con-name e$i ifname eth$i connection.autoconnect no \
        ipv4.method manual ipv4.addresses 10.9.$i.1/24 ipv6.method disabled
done
for i in 0 1 2; do expect_up e$i; done
check "with the interface it is up" port PORT,STATE,PHYSICAL_STATE 'mlx4_0/2:Active:LinkUp'
check "both versions: address and MAC, each twice" eventually gids eth0 "$own:0002 IB/RoCE v1 eth0" "$own:0002 RoCE v2 eth0" \
    "$(v4 10 9 0 1) IB/RoCE v1 eth0" "$(v4 10 9 0 1) RoCE v2 eth0"
check "version 2 only" eventually gids eth1 "$own:0011 RoCE v2 eth1" "$(v4 10 9 1 1) RoCE v2 eth1"
check "version 1 only" eventually gids eth2 "$own:0021 IB/RoCE v1 eth2" "$(v4 10 9 2 1) IB/RoCE v1 eth2"
check "all that ibstat says" eventually python3 agreed.py
check "doctor finds nothing wrong with them" doctor_content mlx4_0/2
check "  nor with the machine" doctor_content

must nmcli connection add type vlan con-name v7 dev eth1 id 7 ifname storage7 connection.autoconnect no \
    ipv4.method manual ipv4.addresses 10.9.7.1/24 ipv6.method disabled
expect_up v7
check "a VLAN's address has its interface" eventually eval "shown GID eth1 | grep -Fx '$(v4 10 9 7 1) RoCE v2 storage7'"
expect_down v7
check "  and goes with it" eventually gids eth1 "$own:0011 RoCE v2 eth1" "$(v4 10 9 1 1) RoCE v2 eth1"
must nmcli connection modify e1 ipv4.addresses 10.9.1.9/24
expect_up e1
check "another address, another GID" eventually gids eth1 "$own:0011 RoCE v2 eth1" "$(v4 10 9 1 9) RoCE v2 eth1"

port_state mlx4_0 2 down
check "a cable is out" port PORT,STATE 'mlx4_0/2:Down'
port_state mlx4_0 2 active
check "  and in again" port PORT,STATE 'mlx4_0/2:Active'

modprobe rdma_cm
config=/sys/kernel/config/rdma_cm/mlx4_0
must mkdir $config
check "the version that RDMA-CM takes can be chosen" eval "
    echo 'IB/RoCE v1' >$config/ports/2/default_roce_mode && is 'IB/RoCE v1' \"\$(cat $config/ports/2/default_roce_mode)\" &&
    echo 'RoCE v2' >$config/ports/2/default_roce_mode"
check "  but not where it is not there" eval "! echo 'RoCE v2' >$config/ports/1/default_roce_mode"
must rmdir $config

profile storage ifname ib0 transport-mode datagram
expect_up storage
expect_carrier ib0 1
expect_down e0
expect_nm_alive
nm_stop
fabric_unload
check "unloading leaves no interface" not ls -d $NET/eth0 $NET/eth1 $NET/eth2 $NET/ib0
expect_clean_kernel_log
