# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: every rdma.* word, applied and removed again, leaves files and kernel unchanged
# with: dispatcher+cli
# releases: bookworm (trixie)
# files: rdma_machine.sh
. ./lib.sh
. ./rdma_machine.sh
modprobe -a rdma_ucm rdma_rxe ib_umad
fabric name=mlx5_0,mlx5_1 ports=1 eth=0,1 driver=mlx5_core devid=0x1017 total_vfs=2
echo 2 >$NET/ib0/device/sriov_numvfs
ip link set ib0 vf 1 node_guid 00:00:00:00:00:00:00:01 port_guid 00:00:00:00:00:00:00:02 # set by the administrator
must ip link add ve0 type veth peer name ve1
must ip link set ve1 up
nm_manages_ethernet
nm_start
ethernet e eth0 10.9.0.1/24
ethernet v ve0 10.9.1.1/24
nmcli device set ve0 managed yes
must nmcli connection add type infiniband con-name i ifname ib0 transport-mode datagram autoconnect no ipv4.method disabled ipv6.method disabled
for p in e v i; do expect_up $p; done
rdma_mark
cp -r /etc/NetworkManager/system-connections /run/profiles
# word PROFILE WORD VALUE BACK: VALUE is applied, BACK restores the previous state
word() {
    local profile=$1 name=$2 value=$3 back=$4
    must nm-ib connection modify "$profile" "$name" "$value"
    expect_up "$profile"
    check "$name $value: changes the machine" eventually ends 1 rdma_same
    must nm-ib connection modify "$profile" "$name" "$back"
    expect_up "$profile"
    check "$name $value, then '$back': the machine is as before" eventually rdma_same
}
word e rdma.roce-mode v1 ''
word e rdma.roce-tos 96 ''
word v rdma.soft-rdma rxe none
must nm-ib connection modify v rdma.soft-rdma ''
word i rdma.vf-guids 0=02:00:00:00:00:00:00:10,1=02:00:00:00:00:00:00:11 ''
word i rdma.vf-guids auto ''
must nm-ib connection modify e rdma.skip yes
must nm-ib connection modify e rdma.skip ''
same() { diff <(cd "$1" && grep -v '^timestamp=' ./*) <(cd "$2" && grep -v '^timestamp=' ./*); }
check "rdma words: the keyfiles are unchanged" same /run/profiles /etc/NetworkManager/system-connections
expect_nm_alive
expect_clean_kernel_log
