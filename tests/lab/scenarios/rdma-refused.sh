# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: invalid values of rdma.* words: refused in one line, nothing is written or applied
# with: dispatcher+cli
# releases: bookworm (trixie)
# files: rdma_machine.sh
. ./lib.sh
. ./rdma_machine.sh
modprobe rdma_ucm
fabric name=mlx5_0,mlx5_1 ports=1 eth=0,1 driver=mlx5_core devid=0x1017
nm_manages_ethernet
nm_start
ethernet e eth0 10.9.0.1/24
profile i ifname ib0
expect_up e
expect_up i
rdma_mark

have=$(cat /etc/NetworkManager/system-connections/* | md5sum)
refused() { # PROFILE WORD VALUE: one line, exit 2, nothing written
    local code=0
    nm-ib connection modify "$@" >/run/out 2>/run/err || code=$?
    is "$code $(grep -cE '^(Error|Usage): ' /run/err) $(wc -c </run/out)" '2 1 0' && is "$(cat /etc/NetworkManager/system-connections/* | md5sum)" "$have"
}
for words in 'e rdma.roce-mode v3' 'e rdma.roce-tos 256' 'e rdma.soft-rdma rxe2' 'i rdma.vf-guids 0=1' 'e rdma.skip perhaps' 'e rdma.nothing 1' \
    'i rdma.roce-mode v2' 'i rdma.roce-tos 1' 'i rdma.soft-rdma rxe' 'e rdma.vf-guids auto'; do
    # shellcheck disable=SC2086 # words
    check "modify $words: refused" refused $words
done
check "refused words: the machine is unchanged" rdma_same
expect_nm_alive
expect_clean_kernel_log
