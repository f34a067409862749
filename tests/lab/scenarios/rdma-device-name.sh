# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: RDMA devices with "-" and other signs in their names get their words; without words the unit does not run
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe -a rdma_ucm rdma_rxe
nm_start
must ip link add ve-0 type veth peer name ve1
must ip link set ve1 up
tos() {
    local made=no
    mkdir /sys/kernel/config/rdma_cm/"$1" 2>/dev/null && made=yes
    cat /sys/kernel/config/rdma_cm/"$1"/ports/1/default_roce_tos
    [ $made = no ] || rmdir /sys/kernel/config/rdma_cm/"$1"
}
expect_tos() { check "$1: type of service $2" eventually settled prints_only "$2" tos "$1"; }
# runs: the number of times that the unit has run
mkdir -p /run/systemd/system/nm-ib-rdma@.service.d
printf '[Service]\nExecStartPre=+/bin/sh -c "echo >>/run/runs"\n' >/run/systemd/system/nm-ib-rdma@.service.d/count.conf
must systemctl daemon-reload
runs() { wc -l </run/runs; }
touch /run/runs
add() { must rdma link add "$1" type rxe netdev ve-0; }
delete() { must rdma link delete "$1"; }

before=$(runs)
add rxe-a
udevadm settle
check "nm-ib-rdma@, no profile with words: does not run" never 10 eval '[ "$(runs)" != "$before" ]'
delete rxe-a
must nm-ib connection add type ethernet con-name v ifname ve-0 autoconnect no ipv4.method manual ipv4.addresses 10.9.0.1/24 ipv6.method disabled \
    rdma.roce-tos 32
nmcli device set ve-0 managed yes
expect_up v
for name in rxe0 rxe-a 'rxe\x2da' 'r+i@x.y' rxe_ve-0; do
    before=$(runs)
    add "$name"
    expect_tos "$name" 32
    check "nm-ib-rdma@, profile with words: runs for $name" eventually eval '[ "$(runs)" -gt "$before" ]'
    delete "$name"
done
add rxe-a
expect_tos rxe-a 32
must rdma dev set rxe-a name rxe-b-c
expect_tos rxe-b-c 32
check "rdma words, device renamed: the state file has the new name" eventually grep -F 'was rxe-b-c/1 ' -r /run/NetworkManager/nm-infiniband

must nm-ib connection modify v rdma.roce-tos ''
expect_up v
expect_tos rxe-b-c 0
delete rxe-b-c
before=$(runs)
add rxe-a
udevadm settle
check "nm-ib-rdma@, words removed: does not run" never 10 eval '[ "$(runs)" != "$before" ]'
expect_nm_alive
expect_clean_kernel_log
