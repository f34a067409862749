# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: bad values of rdma.* words: one line, and nothing is written or done
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
ethernet e eth0 10.9.0.1/24
ethernet v ve0 10.9.1.1/24
nmcli device set ve0 managed yes
must nmcli connection add type infiniband con-name i ifname ib0 transport-mode datagram autoconnect no ipv4.method disabled ipv6.method disabled
for p in e v i; do expect_up $p; done
# What is there for everybody who is up: the state of our own files, too.
rdma_machine >/run/before 2>&1
cp -r /etc/NetworkManager/system-connections /run/profiles
undone() {
    rdma_machine >/run/after 2>&1
    diff /run/before /run/after
}

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
