# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib port show: P_Keys, virtual functions and GIDs of a port, for root and others, also when HCAs come and go
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx5_0 ports=2,1 rev=0xb0 devid=0x634a,0x1017 driver=mlx4_core,mlx5_core enhanced=0,1 total_vfs=2
port() { prints -x "$2" nm-ib -t -e no -f "$1" port; }
shown() { nm-ib -g "$1" port show "$2"; }
vf_lines() {
    local text
    text=$(shown HCA.VF ib0) || return
    wc -l <<<"$text"
}
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

nm_start
child storage ib0 0x8002 transport-mode connected mtu 65520
expect_up storage
expect_carrier ib0.8002 1

guid=$(shown PORT.GUID mlx4_0/1)
check "port show: finds a port by interface, GUID and PCI address" eval "
    test -n '$guid' && prints_only '$guid' shown PORT.GUID ib0 && prints_only mlx4_0/1 shown PORT.NAME '$guid' &&
    prints_only mlx4_0/1 shown PORT.NAME ib0.8002 && prints_only mlx4_0/1 shown PORT.NAME \"\$(shown HCA.BUS_INFO ib0)/1\""
check "port show: splits the address into its parts" eval "
    prints_only \"\$(cat $NET/ib0/address)\" shown 'INTERFACE[1].ADDRESS' ib0 && prints_only '$guid' shown 'INTERFACE[1].PORT_GUID' ib0 &&
    prints_only \"\$(cut -c 1-17 $NET/ib0/address)\" shown 'INTERFACE[1].ARP_ADDRESS' ib0"
check "port show: the P_Key table, with membership and users" eval "prints -x '0x8002 full ib0.8002' shown P_KEY ib0 && prints -x '0x0004 limited' shown P_KEY ib0"
check "port show, unknown port: one line, exit 10" refused_with 10 ib7 shown PORT ib7
check "port show, unknown field: exit 2" refused_with 2 "invalid field 'nonsense'" shown PORT,nonsense ib0
check "port, unknown word: exit 2" refused_with 2 "port: unknown command 'nonsense'" nm-ib port nonsense

check "port, unprivileged user: names the fields that only root can read" prints -2 'MTU_ACTIVE, LINK_SUPPORTED: only root' as_nobody nm-ib -f MTU_ACTIVE port
check "port, unprivileged user: shows the other fields" eval "prints '?' as_nobody nm-ib -f MTU_ACTIVE port && prints -E '^mlx4_0/1 +InfiniBand +Active ' as_nobody nm-ib port"
must rmmod ib_umad
check "port without ib_umad: the MTU is ?, other fields are shown" port PORT,MTU_ACTIVE,LID "mlx4_0/1:?:$(shown PORT.LID ib0)"
check "port without ib_umad: gives the reason" prints_only -2 "note: '?' cannot be read: PortInfo: the module ib_umad is not loaded (modprobe ib_umad)" nm-ib -f MTU_MAX port
modprobe ib_umad

echo 2 >$NET/ib0/device/sriov_numvfs
check "port show: the virtual functions" eval "prints_only 2 shown HCA.VFS ib0 && prints_only 2 shown HCA.MAX_VFS ib0 && prints_only 2 vf_lines"

modprobe rdma_rxe
must ip link add ve0 type veth peer name ve1
must ip link set ve0 up
must ip address add 10.9.0.1/24 dev ve0
must rdma link add rxe_ve0 type rxe netdev ve0
check "port, Soft-RoCE: shows the Ethernet interface" port PORT,LINK_LAYER,INTERFACE,LID 'rxe_ve0/1:RoCE:ve0:'
check "port show, Soft-RoCE: the GID table has type and interface" prints ' RoCE v2 ve0' shown GID ve0

changes() { for _ in 1 2 3 4 5; do rmmod softhca; insmod "$JOB/softhca.ko" name=mlx4_0,mlx5_0; done; }
looks() {
    changes &
    local pid=$!
    while kill -0 $pid 2>/dev/null; do
        nm-ib port --json >/run/json && jq -e . /run/json >/dev/null || return 1
    done
}
check "port --json while HCAs come and go: always valid" looks
expect_nm_alive
expect_clean_kernel_log
