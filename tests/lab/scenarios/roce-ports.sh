# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: Ethernet (RoCE) ports beside an InfiniBand port: nm-ib port shows their GID tables as addresses come and go
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
# files: compare_ibstat.py
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx5_0,mlx4_1 ports=2,1,1 eth=2,1,1 roce=3,2,1 devid=0x1003,0x1017,0x1003 driver=mlx4_core,mlx5_core,mlx4_core
port() { prints -x "$2" nm-ib -t -e no -f "$1" port; }
shown() { nm-ib -g "$1" port show "$2"; }
# gids LINK TEXT...: the GID table of that port has exactly these lines
gids() {
    local link=$1
    shift
    is "$(shown GID "$link")" "$(printf '%s\n' "$@")"
}
own=fe80:0000:0000:0000:0202:c9ff:fe0a
# v4 A B C D: that IPv4 address as a GID
v4() { printf '0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x' "$@"; }

check "mlx4_0/2: RoCE port with its interface eth0" port PORT,LINK_LAYER,INTERFACE 'mlx4_0/2:RoCE:eth0'
check "mlx4_0/2, interface down: Down and Disabled" port PORT,STATE,PHYSICAL_STATE,LID 'mlx4_0/2:Down:Disabled:'
printf '[keyfile]\nunmanaged-devices=none\n' >/etc/NetworkManager/conf.d/roce.conf # the guest's own configuration ignores eth*
nm_start
check "mlx4_0/1: InfiniBand port" port PORT,LINK_LAYER,STATE 'mlx4_0/1:InfiniBand:Active'
for i in 0 1 2; do
    must nmcli connection add type ethernet con-name e$i ifname eth$i connection.autoconnect no \
        ipv4.method manual ipv4.addresses 10.9.$i.1/24 ipv6.method disabled
done
for i in 0 1 2; do expect_up e$i; done
check "mlx4_0/2, interface up: Active" port PORT,STATE,PHYSICAL_STATE 'mlx4_0/2:Active:LinkUp'
check "eth0, RoCE v1 and v2: GIDs of MAC and address for each version" eventually gids eth0 "$own:0002 IB/RoCE v1 eth0" "$own:0002 RoCE v2 eth0" \
    "$(v4 10 9 0 1) IB/RoCE v1 eth0" "$(v4 10 9 0 1) RoCE v2 eth0"
check "eth1, RoCE v2 only: GIDs of MAC and address" eventually gids eth1 "$own:0011 RoCE v2 eth1" "$(v4 10 9 1 1) RoCE v2 eth1"
check "eth2, RoCE v1 only: GIDs of MAC and address" eventually gids eth2 "$own:0021 IB/RoCE v1 eth2" "$(v4 10 9 2 1) IB/RoCE v1 eth2"
check "port: ibstat agrees with nm-ib" eventually python3 compare_ibstat.py
check "doctor mlx4_0/2: no finding" doctor_content mlx4_0/2
check "doctor: no finding" doctor_content

must nmcli connection add type vlan con-name v7 dev eth1 id 7 ifname storage7 connection.autoconnect no \
    ipv4.method manual ipv4.addresses 10.9.7.1/24 ipv6.method disabled
expect_up v7
check "eth1, VLAN up: the GID of the VLAN's address has its interface" eventually prints -x "$(v4 10 9 7 1) RoCE v2 storage7" shown GID eth1
expect_down v7
check "eth1, VLAN down: the GID of the VLAN's address is gone" eventually gids eth1 "$own:0011 RoCE v2 eth1" "$(v4 10 9 1 1) RoCE v2 eth1"
must nmcli connection modify e1 ipv4.addresses 10.9.1.9/24
expect_up e1
check "eth1, another address: the GID of this address" eventually gids eth1 "$own:0011 RoCE v2 eth1" "$(v4 10 9 1 9) RoCE v2 eth1"

port_state mlx4_0 2 down
check "mlx4_0/2, cable pulled: Down" port PORT,STATE 'mlx4_0/2:Down'
port_state mlx4_0 2 active
check "mlx4_0/2, cable back: Active" port PORT,STATE 'mlx4_0/2:Active'

modprobe rdma_cm
config=/sys/kernel/config/rdma_cm/mlx4_0
must mkdir $config
check "RDMA-CM, RoCE port with both versions: each version can be set" eval "
    echo 'IB/RoCE v1' >$config/ports/2/default_roce_mode && is 'IB/RoCE v1' \"\$(cat $config/ports/2/default_roce_mode)\" &&
    echo 'RoCE v2' >$config/ports/2/default_roce_mode"
check "RDMA-CM, InfiniBand port: RoCE v2 cannot be set" eval "ends 1 echo 'RoCE v2' >$config/ports/1/default_roce_mode"
must rmdir $config

profile storage ifname ib0 transport-mode datagram
expect_up storage
expect_carrier ib0 1
expect_down e0
expect_nm_alive
nm_stop
fabric_unload
check "softhca unloaded: no interface is left" eval "for link in eth0 eth1 eth2 ib0; do no_file $NET/\$link || return; done"
expect_clean_kernel_log
