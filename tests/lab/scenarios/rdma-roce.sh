# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.roce-mode and rdma.roce-tos: applied with the profile, also to a device that comes later, and given back
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe rdma_ucm
roce_fabric
nm_start

before=$(roce_kept mlx4_0 2 mode)/$(roce_kept mlx4_0 2 tos)
ethernet e0 eth0 10.9.0.1/24 rdma.roce-mode v1 rdma.roce-tos 106
check "connection show: the profile has rdma.roce-mode" prints_only v1 nm-ib -g rdma.roce-mode connection show e0
check "connection show: rdma.roce-tos beside nmcli's properties" eval "prints -E '^rdma.roce-tos: +106$' nm-ib connection show e0 && prints -E '^connection.id: +e0$' nm-ib connection show e0"
check "plan: the words that will be applied" prints -E '^  change +RoCE mode of mlx4_0/2: v1, type of service of mlx4_0/2: 106$' nm-ib plan e0
check "plan --json: the words and one change" json_has '.rdma | .words["roce-mode"] == "v1" and (.changes | length) == 1' nm-ib plan e0 --json
journal_mark
expect_up e0
expect_roce mlx4_0 2 mode 'IB/RoCE v1'
expect_roce mlx4_0 2 tos 106
check "plan after up: no change" prints -E '^  change +none$' nm-ib plan e0
expect_journal "eth0: RoCE mode of mlx4_0/2: v1, type of service of mlx4_0/2: 106 \(profile 'e0'\)"
check "configfs: no folder is left" eventually not test -e /sys/kernel/config/rdma_cm/mlx4_0
journal_mark
expect_up e0
check "second up: changes no RoCE mode" _never_said "RoCE mode of"
must nmcli connection modify e0 ipv4.addresses 10.9.0.2/24
check "nmcli connection modify: the words stay" prints_only $'rdma.roce-mode:v1\nrdma.roce-tos:106' nm-ib -t -f rdma.roce-mode,rdma.roce-tos connection show e0

# The device goes and returns; then its event simulates a device that comes while the interface is up.
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
check "RDMA device renamed: the state file has the new name" eventually eval "grep -F 'was storage/2 ' /run/NetworkManager/nm-infiniband/rdma-*"
must rdma dev set storage name mlx4_0
check "RDMA device renamed back: the state file has the first name" eventually eval "grep -F 'was mlx4_0/2 ' /run/NetworkManager/nm-infiniband/rdma-*"
check "nm-ib-rdma@: exposure by systemd-analyze security below 2.0" eval "systemd-analyze security --no-pager --threshold=20 nm-ib-rdma@mlx4_0.service >/run/security || { tail -1 /run/security; false; }"

must nm-ib connection modify e0 rdma.roce-mode ''
check "modify, rdma.roce-mode removed: no longer shown" prints_only '' nm-ib -g rdma.roce-mode connection show e0
expect_up e0
expect_roce mlx4_0 2 mode "${before%/*}"
expect_roce mlx4_0 2 tos 106
must nm-ib connection modify e0 rdma.roce-tos ''
expect_up e0
expect_roce mlx4_0 2 tos "${before#*/}"
check "all words removed: no state file is left" eventually no_file '/run/NetworkManager/nm-infiniband/rdma-*'
expect_nm_alive
expect_clean_kernel_log
