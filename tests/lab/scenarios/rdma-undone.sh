# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: every rdma.* word, done and taken back, leaves files and kernel as they were; bad values write nothing
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe -a rdma_ucm rdma_rxe ib_umad
fabric name=mlx5_0,mlx5_1 ports=1 eth=0,1 driver=mlx5_core devid=0x1017 total_vfs=2
echo 2 >$NET/ib0/device/sriov_numvfs
ip link set ib0 vf 1 node_guid 00:00:00:00:00:00:00:01 port_guid 00:00:00:00:00:00:00:02 # somebody's own
must ip link add ve0 type veth peer name ve1
must ip link set ve1 up
printf '[keyfile]\nunmanaged-devices=none\n' >/etc/NetworkManager/conf.d/roce.conf # the guest's leaves eth* alone
nm_start
# machine: what the words could change
machine() {
    find /etc -type f ! -path '*/system-connections/*' -exec md5sum {} + | sort -k2
    find /run/nm-infiniband /sys/kernel/config/rdma_cm | sort
    cat /run/nm-infiniband/rdma-*
    rdma dev | sed 's/^[0-9]*: //; s/ *$//'
    rdma link | sed 's/ *$//'
    local d
    for d in /sys/class/infiniband/*; do
        d=${d##*/}
        mkdir "/sys/kernel/config/rdma_cm/$d"
        head /sys/kernel/config/rdma_cm/"$d"/ports/*/*
        rmdir "/sys/kernel/config/rdma_cm/$d"
    done
    ip link show ib0 | grep -o 'vf .*GUID.*'
    lsmod | awk '{ print $1 }' | sort
}
ethernet() { must nm-ib connection add type ethernet con-name "$1" ifname "$2" autoconnect no ipv4.method manual ipv4.addresses "$3" ipv6.method disabled; }
ethernet e eth0 10.9.0.1/24
ethernet v ve0 10.9.1.1/24
nmcli device set ve0 managed yes
must nmcli connection add type infiniband con-name i ifname ib0 transport-mode datagram autoconnect no ipv4.method disabled ipv6.method disabled
for p in e v i; do expect_up $p; done
# What is there for everybody who is up: the state of our own files, too.
machine >/run/before 2>&1
cp -r /etc/NetworkManager/system-connections /run/profiles
undone() {
    machine >/run/after 2>&1
    diff /run/before /run/after
}
# word PROFILE WORD VALUE BACK: done, seen, taken back, and nothing is left
word() {
    local profile=$1 name=$2 value=$3 back=$4
    must nm-ib connection modify "$profile" "$name" "$value"
    expect_up "$profile"
    check "$name $value changes the machine" eventually not undone
    must nm-ib connection modify "$profile" "$name" "$back"
    expect_up "$profile"
    check "  and ${back:-\"\"} leaves it as it was" eventually undone
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
check "the profiles are as they were" same /run/profiles /etc/NetworkManager/system-connections

have=$(cat /etc/NetworkManager/system-connections/* | md5sum)
refused() { # PROFILE WORD VALUE: one line, exit 2, nothing written
    local code=0
    nm-ib connection modify "$@" >/run/out 2>/run/err || code=$?
    is "$code $(wc -l </run/err) $(wc -c </run/out)" '2 1 0' && is "$(cat /etc/NetworkManager/system-connections/* | md5sum)" "$have"
}
for words in 'e rdma.roce-mode v3' 'e rdma.roce-tos 256' 'e rdma.soft-rdma rxe2' 'i rdma.vf-guids 0=1' 'e rdma.skip perhaps' 'e rdma.nothing 1' \
    'i rdma.roce-mode v2' 'i rdma.roce-tos 1' 'i rdma.soft-rdma rxe' 'e rdma.vf-guids auto'; do
    # shellcheck disable=SC2086 # words
    check "refused: $words" refused $words
done
check "  nothing was done" undone
expect_nm_alive
expect_clean_kernel_log
