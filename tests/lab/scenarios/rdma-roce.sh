# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.roce-mode and rdma.roce-tos: set with the profile, on a device that comes later too, and given back
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe rdma_ucm
roce_fabric
nm_start

before=$(roce_kept mlx4_0 2 mode)/$(roce_kept mlx4_0 2 tos)
ethernet e0 eth0 10.9.0.1/24 rdma.roce-mode v1 rdma.roce-tos 106
check "the profile has the words" is "$(nm-ib -g rdma.roce-mode connection show e0)" v1
check "  which show what nmcli shows, too" eval "nm-ib connection show e0 | grep -E '^rdma.roce-tos: +106$' && nm-ib connection show e0 | grep -E '^connection.id: +e0$'"
check "plan shows what will be done" eval "nm-ib plan e0 | grep -E '^  change +RoCE mode of mlx4_0/2: v1, type of service of mlx4_0/2: 106$'"
check "  as JSON, too" eval "nm-ib plan e0 --json | jq -e '.rdma | .words[\"roce-mode\"] == \"v1\" and (.changes | length) == 1'"
journal_mark
expect_up e0
expect_roce mlx4_0 2 mode 'IB/RoCE v1'
expect_roce mlx4_0 2 tos 106
check "plan has nothing left to do" eval "nm-ib plan e0 | grep -E '^  change +none$'"
expect_journal "eth0: RoCE mode of mlx4_0/2: v1, type of service of mlx4_0/2: 106 \(profile 'e0'\)"
check "no folder is left" eventually not test -e /sys/kernel/config/rdma_cm/mlx4_0
journal_mark
expect_up e0
check "a second time changes nothing" never 3 _said "RoCE mode of"
must nmcli connection modify e0 ipv4.addresses 10.9.0.2/24
check "nmcli's change loses nothing" is "$(nm-ib -t -f rdma.roce-mode,rdma.roce-tos connection show e0 | paste -sd ' ')" 'rdma.roce-mode:v1 rdma.roce-tos:106'

# The device goes and returns; then one that comes while the interface is up is simulated by its event.
nm_stop
fabric_unload
roce_fabric
expect_roce mlx4_0 2 mode "${before%/*}"
nm_start
expect_up e0
expect_roce mlx4_0 2 mode 'IB/RoCE v1'
mkdir /sys/kernel/config/rdma_cm/mlx4_0
echo 'RoCE v2' >/sys/kernel/config/rdma_cm/mlx4_0/ports/2/default_roce_mode
rmdir /sys/kernel/config/rdma_cm/mlx4_0
must udevadm trigger --action=add --settle /sys/class/infiniband/mlx4_0
expect_roce mlx4_0 2 mode 'IB/RoCE v1'
must rdma dev set mlx4_0 name storage
expect_roce storage 2 mode 'IB/RoCE v1'
udevadm settle
check "  a rename is followed" eventually eval "grep -F 'was storage/2 ' /run/NetworkManager/nm-infiniband/rdma-*"
must rdma dev set storage name mlx4_0
check "  and back" eventually eval "grep -F 'was mlx4_0/2 ' /run/NetworkManager/nm-infiniband/rdma-*"
check "the unit of the rule is confined" eval "systemd-analyze security --no-pager --threshold=20 nm-ib-rdma@mlx4_0.service >/run/security || { tail -1 /run/security; false; }"

must nm-ib connection modify e0 rdma.roce-mode ''
check "a word that is taken back is gone" is "$(nm-ib -g rdma.roce-mode connection show e0)" ''
expect_up e0
expect_roce mlx4_0 2 mode "${before%/*}"
expect_roce mlx4_0 2 tos 106
must nm-ib connection modify e0 rdma.roce-tos ''
expect_up e0
expect_roce mlx4_0 2 tos "${before#*/}"
check "nothing is kept then" eventually not eval 'ls /run/NetworkManager/nm-infiniband/rdma-*'
expect_nm_alive
expect_clean_kernel_log
