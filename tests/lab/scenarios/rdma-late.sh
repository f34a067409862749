# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma words with an RDMA device that comes after 'up', goes, returns and is renamed; reapply; a helper that is killed
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe rdma_ucm
nm_start
must ip link add ve0 type veth peer name ve1
must ip link set ve1 up
config=/sys/kernel/config/rdma_cm
tos() {
    local made=no
    mkdir $config/"$1" 2>/dev/null && made=yes
    cat $config/"$1"/ports/1/default_roce_tos
    [ $made = no ] || rmdir $config/"$1"
}
expect_tos() { check "$1: type of service $2" eventually settled prints_only "$2" tos "$1"; }
must nm-ib connection add type ethernet con-name v ifname ve0 autoconnect no ipv4.method manual ipv4.addresses 10.9.0.1/24 ipv6.method disabled \
    rdma.roce-tos 32
nmcli device set ve0 managed yes
journal_mark
expect_up v
expect_journal 've0: rdma.roce-tos waits: no RDMA device is on the interface yet'
must rdma link add late type rxe netdev ve0
expect_tos late 32
expect_journal "ve0: type of service of late/1: 32 \(profile 'v'\)"
must rdma link delete late
must rdma link add late type rxe netdev ve0
expect_tos late 32
must rdma dev set late name later
udevadm settle
expect_tos later 32
must ip link set ve0 down
must ip link set ve0 name ve9
must ip link set ve9 up
must rdma link delete later
must rdma link add again type rxe netdev ve9
check "rdma words, interface renamed: applied to the new device" eventually settled prints_only 32 tos again
must ip link set ve9 down
must ip link set ve9 name ve0
must ip link set ve0 up
expect_up v

# reapply applies modified words.
must nm-ib connection modify v rdma.roce-tos 40
must nmcli device reapply ve0
expect_tos again 40
must nm-ib connection modify v rdma.roce-tos ''
must nmcli device reapply ve0
expect_tos again 0
check "rdma words, removed by reapply: no state file is left" eventually no_file '/run/NetworkManager/nm-infiniband/rdma-*'

# killed at the system call that would remove RDMA-CM's folder, and at the one that writes the value
kill_at() {
    CONNECTION_FILENAME=$(_file v) CONNECTION_UUID=$(nmcli -g connection.uuid connection show v) CONNECTION_ID=v \
        strace -f -o /run/strace -e "inject=$1:signal=KILL" -P "$2" /usr/libexec/nm-infiniband/nm-ib-dispatcher ve0 up
}
must nm-ib connection modify v rdma.roce-tos 48
kill_at unlinkat $config/again 2>/dev/null
kill_at unlinkat again 2>/dev/null
check "helper killed before it removes the configfs folder: the folder is left" test -d $config/again
must nmcli device reapply ve0
check "helper killed before it removes the configfs folder: the next event removes it" eventually not test -e $config/again
expect_tos again 48
must nm-ib connection modify v rdma.roce-tos 56
kill_at mkdirat again 2>/dev/null
expect_up v
expect_tos again 56
must nm-ib connection modify v rdma.roce-tos ''
expect_up v
expect_tos again 0
check "rdma words, removed after a killed helper: no state file and no configfs folder is left" eventually eval "no_file '/run/NetworkManager/nm-infiniband/rdma-*' && no_file '$config/*/ports'"
expect_nm_alive
expect_clean_kernel_log
