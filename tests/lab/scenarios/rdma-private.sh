# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.* words in a profile with connection.permissions: logged, not applied; words in force are given back
# with: dispatcher+cli
# releases: bookworm (trixie)
# files: rdma_machine.sh
. ./lib.sh
. ./rdma_machine.sh
modprobe -a rdma_ucm rdma_rxe ib_umad
useradd alice
fabric name=mlx5_0,mlx5_1 ports=1 eth=0,1 driver=mlx5_core devid=0x1017 total_vfs=2
echo 2 >$NET/ib0/device/sriov_numvfs
ip link set ib0 vf 1 node_guid 00:00:00:00:00:00:00:01 port_guid 00:00:00:00:00:00:00:02
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
permit() { must nmcli connection modify "$1" connection.permissions "$2"; }
refusal='rdma.\* words are refused in a profile with connection.permissions: the words change the machine for all users. Make connection.permissions empty, or remove the words'

# private PROFILE LINK WORD VALUE
private() {
    must nm-ib connection modify "$1" "$3" "$4"
    permit "$1" user:alice
    journal_mark
    expect_up "$1"
    expect_journal_once "nm-ib: $2: profile '$1': $refusal"
    check "$3 $4, private profile: changes nothing" rdma_same
    check "$3 $4, private profile: plan has no change, and the reason" json_has '.rdma | .changes == [] and [.findings[].id] == ["rdma-word-bad"]' nm-ib plan $1 --json
    permit "$1" ''
    expect_up "$1"
    check "$3 $4, profile of all users: changes the machine" eventually ends 1 rdma_same
    permit "$1" user:alice
    expect_up "$1"
    check "$3 $4, profile made private: the previous values are restored" eventually rdma_same
    permit "$1" ''
    must nm-ib connection modify "$1" "$3" ''
}
private e eth0 rdma.roce-mode v1
private e eth0 rdma.roce-tos 96
private v ve0 rdma.soft-rdma rxe
private i ib0 rdma.vf-guids auto

# A profile in memory is in /run.
must nmcli connection add save no type ethernet con-name m ifname ve0 autoconnect no connection.permissions user:alice ipv4.method manual \
    ipv4.addresses 10.9.1.1/24 ipv6.method disabled
words m soft-rdma=rxe
journal_mark
expect_up m
expect_journal_once "nm-ib: ve0: profile 'm': $refusal"
check "rdma.soft-rdma rxe, private profile in memory: changes nothing" rdma_same
expect_nm_alive
expect_clean_kernel_log
