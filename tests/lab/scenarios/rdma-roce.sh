# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.roce-mode and rdma.roce-tos: set with the profile, on a device that comes later too, and given back
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe rdma_ucm
knobs='name=mlx4_0,mlx5_0 ports=2,1 eth=2,1 roce=3,2 devid=0x1003,0x1017 driver=mlx4_core,mlx5_core'
# shellcheck disable=SC2086 # words
fabric $knobs
printf '[keyfile]\nunmanaged-devices=none\n' >/etc/NetworkManager/conf.d/roce.conf # the guest's leaves eth* alone
nm_start
# kept DEVICE PORT FILE: what RDMA-CM keeps
kept() {
    local made=no value
    mkdir /sys/kernel/config/rdma_cm/"$1" 2>/dev/null && made=yes
    value=$(cat /sys/kernel/config/rdma_cm/"$1"/ports/"$2"/default_roce_"$3")
    [ $made = no ] || rmdir /sys/kernel/config/rdma_cm/"$1"
    echo "$value"
}
expect_kept() { check "$1/$2 has $3 $4" eventually eval "is \"\$(kept $1 $2 $3)\" '$4'"; }
ethernet() { must nm-ib connection add type ethernet con-name "$1" ifname "$2" autoconnect no ipv4.method manual ipv4.addresses "$3" ipv6.method disabled "${@:4}"; }

before=$(kept mlx4_0 2 mode)/$(kept mlx4_0 2 tos)
ethernet e0 eth0 10.9.0.1/24 rdma.roce-mode v1 rdma.roce-tos 106
check "the profile has the words" is "$(nm-ib -g rdma.roce-mode connection show e0)" v1
check "  which show what nmcli shows, too" eval "nm-ib connection show e0 | grep -E '^rdma.roce-tos: +106$' && nm-ib connection show e0 | grep -E '^connection.id: +e0$'"
check "plan shows what will be done" eval "nm-ib plan e0 | grep -E '^  change +RoCE mode of mlx4_0/2: v1, type of service of mlx4_0/2: 106$'"
check "  as JSON, too" eval "nm-ib plan e0 --json | python3 -c 'import json, sys; r = json.load(sys.stdin)[\"rdma\"]; print(r); sys.exit(r[\"words\"][\"roce-mode\"] != \"v1\" or len(r[\"changes\"]) != 1)'"
journal_mark
expect_up e0
expect_kept mlx4_0 2 mode 'IB/RoCE v1'
expect_kept mlx4_0 2 tos 106
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
# shellcheck disable=SC2086 # words
fabric $knobs
expect_kept mlx4_0 2 mode "${before%/*}"
nm_start
expect_up e0
expect_kept mlx4_0 2 mode 'IB/RoCE v1'
mkdir /sys/kernel/config/rdma_cm/mlx4_0
echo 'RoCE v2' >/sys/kernel/config/rdma_cm/mlx4_0/ports/2/default_roce_mode
rmdir /sys/kernel/config/rdma_cm/mlx4_0
must udevadm trigger --action=add --settle /sys/class/infiniband/mlx4_0
expect_kept mlx4_0 2 mode 'IB/RoCE v1'
must rdma dev set mlx4_0 name storage
expect_kept storage 2 mode 'IB/RoCE v1'
udevadm settle
check "  a rename is followed" eventually eval "grep -F 'was storage/2 ' /run/nm-infiniband/rdma-*"
must rdma dev set storage name mlx4_0
check "  and back" eventually eval "grep -F 'was mlx4_0/2 ' /run/nm-infiniband/rdma-*"
check "the unit of the rule is confined" eval "systemd-analyze security --no-pager --threshold=20 nm-ib-rdma@mlx4_0.service >/run/security || { tail -1 /run/security; false; }"

must nm-ib connection modify e0 rdma.roce-mode ''
check "a word that is taken back is gone" is "$(nm-ib -g rdma.roce-mode connection show e0)" ''
expect_up e0
expect_kept mlx4_0 2 mode "${before%/*}"
expect_kept mlx4_0 2 tos 106
must nm-ib connection modify e0 rdma.roce-tos ''
expect_up e0
expect_kept mlx4_0 2 tos "${before#*/}"
check "nothing is kept then" eventually not eval 'ls /run/nm-infiniband/rdma-*'

ethernet e1 eth1 10.9.1.1/24 rdma.roce-mode v1
journal_mark
expect_up e1
expect_journal 'eth1: rdma.roce-mode v1: mlx5_0/1 has only the other version of RoCE'
expect_kept mlx5_0 1 mode 'RoCE v2'
must nm-ib connection modify e1 rdma.roce-mode v2 rdma.skip yes
must nm-ib connection modify e0 rdma.roce-mode v1 rdma.skip yes
expect_up e0
check "who opted out is left alone" never 3 eval "is \"\$(kept mlx4_0 2 mode)\" 'IB/RoCE v1'"

profiles() { nmcli -t -f UUID connection | sort | md5sum; }
have=$(profiles)
refused() { # WORDS... : one line, exit 2, nothing written
    local code=0
    nm-ib "$@" >/run/out 2>/run/err || code=$?
    is "$code $(wc -l </run/err) $(wc -c </run/out)" '2 1 0' && is "$(profiles)" "$have"
}
for words in 'rdma.roce-mode v3' 'rdma.roce-tos 256' 'rdma.rocemode v2' 'rdma.vf-guids auto' 'rdma.soft-rdma rxe2'; do
    # shellcheck disable=SC2086 # words
    check "refused: $words" refused connection add type ethernet con-name bad ifname eth0 $words
done
check "refused on an InfiniBand profile" refused connection add type infiniband con-name bad ifname ib0 rdma.roce-mode v2
check "refused in modify, and the profile stays" eval "refused connection modify e0 connection.id other rdma.roce-tos 300 && nmcli connection show e0"
expect_nm_alive
expect_clean_kernel_log
