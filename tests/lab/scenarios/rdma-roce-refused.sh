# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.roce-mode on a device with only the other version, rdma.skip, and words that are refused
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe rdma_ucm
roce_fabric
nm_start

ethernet e0 eth0 10.9.0.1/24
ethernet e1 eth1 10.9.1.1/24 rdma.roce-mode v1
journal_mark
expect_up e1
expect_journal 'eth1: rdma.roce-mode v1: mlx5_0/1 has only the other version of RoCE'
expect_roce mlx5_0 1 mode 'RoCE v2'
must nm-ib connection modify e1 rdma.roce-mode v2 rdma.skip yes
must nm-ib connection modify e0 rdma.roce-mode v1 rdma.skip yes
expect_up e0
check "rdma.skip yes: rdma.roce-mode is not applied" settled prints_only 'RoCE v2' roce_kept mlx4_0 2 mode

profiles() { nmcli -t -f UUID connection | sort | md5sum; }
have=$(profiles)
refused() { # WORDS... : one line, exit 2, nothing written
    local code=0
    nm-ib "$@" >/run/out 2>/run/err || code=$?
    is "$code $(grep -cE '^(Error|Usage): ' /run/err) $(wc -c </run/out)" '2 1 0' && is "$(profiles)" "$have"
}
for words in 'rdma.roce-mode v3' 'rdma.roce-tos 256' 'rdma.rocemode v2' 'rdma.vf-guids auto' 'rdma.soft-rdma rxe2'; do
    # shellcheck disable=SC2086 # words
    check "add, Ethernet profile, $words: refused" refused connection add type ethernet con-name bad ifname eth0 $words
done
check "add, InfiniBand profile, rdma.roce-mode: refused" refused connection add type infiniband con-name bad ifname ib0 rdma.roce-mode v2
check "modify, invalid rdma.roce-tos: refused, the profile is unchanged" eval "refused connection modify e0 connection.id other rdma.roce-tos 300 && nmcli connection show e0"
expect_nm_alive
expect_clean_kernel_log
