# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.* words of a VLAN and of a bond: applied to the devices of the lower interfaces until down
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe rdma_ucm
fabric name=mlx5_0,mlx5_1 ports=1 eth=1 driver=mlx5_core devid=0x1017
printf '[keyfile]\nunmanaged-devices=none\n' >/etc/NetworkManager/conf.d/roce.conf # the guest's own configuration ignores eth*
nm_start
# kept DEVICE: mode and type of service in RDMA-CM
kept() {
    local made=no
    mkdir /sys/kernel/config/rdma_cm/"$1" 2>/dev/null && made=yes
    cat /sys/kernel/config/rdma_cm/"$1"/ports/1/default_roce_{mode,tos} | paste -sd ' '
    [ $made = no ] || rmdir /sys/kernel/config/rdma_cm/"$1"
}
expect_kept() { check "$1: RDMA-CM has $2" eventually settled prints_only "$2" kept "$1"; }
add() { must nm-ib connection add autoconnect no ipv6.method disabled "$@"; }

was=$(kept mlx5_0)
add type ethernet con-name e0 ifname eth0 ipv4.method manual ipv4.addresses 10.9.0.1/24 rdma.roce-tos 8
add type vlan con-name v7 dev eth0 id 7 ifname eth0.7 ipv4.method manual ipv4.addresses 10.9.7.1/24 rdma.roce-mode v1 rdma.roce-tos 32
expect_up e0
expect_kept mlx5_0 "${was% *} 8"
journal_mark
expect_up v7
expect_kept mlx5_0 'IB/RoCE v1 32'
expect_journal "eth0.7: profile 'e0' requests another RoCE value of mlx5_0/1: the profile that was activated last overrides"
expect_down v7
expect_kept mlx5_0 "${was% *} 8"
expect_up v7
expect_kept mlx5_0 'IB/RoCE v1 32'
must nm-ib connection modify e0 rdma.roce-tos ''
expect_up e0 # NetworkManager takes the VLAN down and up with it
nmcli -w 60 connection up v7 >/dev/null
expect_kept mlx5_0 'IB/RoCE v1 32'
expect_down v7
expect_kept mlx5_0 "$was"
check "VLAN down, words removed: no state file is left" eventually no_file '/run/NetworkManager/nm-infiniband/rdma-*'
expect_down e0

add type bond con-name b ifname bond0 bond.options mode=active-backup,miimon=100 ipv4.method manual ipv4.addresses 10.9.1.1/24 rdma.roce-mode v1
for i in 0 1; do must nmcli connection add type ethernet con-name b$i ifname eth$i master bond0 slave-type bond autoconnect no; done
expect_up b0
expect_kept mlx5_0 "IB/RoCE v1 ${was##* }"
check "bond with one port: the device of the other interface is unchanged" settled prints_only "$was" kept mlx5_1
expect_up b1
expect_kept mlx5_1 "IB/RoCE v1 ${was##* }"
check "plan, bond with both ports: no change" prints -E '^  change +none$' nm-ib plan b
must nmcli device disconnect eth1
must ip link set eth1 nomaster
must nmcli device reapply bond0
expect_kept mlx5_1 "$was"
expect_down b
expect_kept mlx5_0 "$was"

check "modify, rdma.soft-rdma on a port of a bond: refused, names the bond's profile" refused_with 2 'profile of the bond' nm-ib connection modify b0 rdma.soft-rdma rxe
must nm-ib connection modify b rdma.roce-mode '' rdma.soft-rdma rxe
expect_up b
check "bond, rdma.soft-rdma: the device exists" eventually test -e /sys/class/infiniband/rxe_bond0
rping -s -a 10.9.1.1 -C 3 >/dev/null 2>&1 &
check "bond, rdma.soft-rdma: the device carries data" eventually timeout 20 rping -c -a 10.9.1.1 -C 3
expect_down b
check "bond down: the device is gone" eventually not test -e /sys/class/infiniband/rxe_bond0
expect_up b
check "bond up again: the device exists" eventually test -e /sys/class/infiniband/rxe_bond0
expect_down b
check "bond down: no state file is left" eval 'nmcli connection up e0; eventually no_file "/run/NetworkManager/nm-infiniband/rdma-*"'
expect_nm_alive
expect_clean_kernel_log
