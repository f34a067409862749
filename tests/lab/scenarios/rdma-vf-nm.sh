# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: virtual functions made by NetworkManager: GUIDs that stay after down and a boot, and a report which to bind again
# with: dispatcher+cli
# releases: bookworm (trixie)
# alone: the functions have no GUID
. ./lib.sh
knobs='name=mlx5_0 driver=mlx5_core devid=0x1017 ports=1 total_vfs=3 vf_driver=1'
pf=$NET/ib0/device
# guid VF: node GUID and port GUID, from the kernel's list; read_by VF: the node GUID that the driver has read
guid() { ip link show ib0 | sed -n "s/.*vf $1 .*NODE_GUID \([0-9a-f:]*\).*PORT_GUID \([0-9a-f:]*\).*/\1 \2/p"; }
both() { echo "$(guid 0)/$(guid 1)"; }
read_by() { sed 's/://g; s/../:&/g; s/^://' $pf/virtfn"$1"/infiniband/*/node_guid; }
has_read() { is "$(read_by "$1") $(read_by "$1")" "$(guid "$1")"; }
address() { basename "$(readlink $pf/virtfn"$1")"; }
rebind() {
    address "$1" >$pf/virtfn"$1"/driver/unbind
    address "$1" >/sys/bus/pci/drivers/mlx5_core/bind
    udevadm settle
}
to_bind_again() {
    local text
    text=$(nm-ib plan pf) || return
    grep -c 'unbound and bound again' <<<"$text"
}
plan_in_a_line() {
    local text
    text=$(nm-ib plan pf) || return
    tr -s ' \n' ' ' <<<"$text"
}
none=00:00:00:00:00:00:00:00
if [ "$PHASE" = 2 ]; then
    nm_start
    expect_up pf
    check "vf-guids auto: the same GUIDs after a boot" eventually_is "$(cat /var/lib/lab/first)" both
    expect_nm_alive
    expect_clean_kernel_log
    exit
fi
# shellcheck disable=SC2086 # words
fabric $knobs
nm_start
must nm-ib connection add type infiniband con-name pf ifname ib0 transport-mode datagram autoconnect no ipv4.method disabled ipv6.method disabled \
    sriov.total-vfs 2 rdma.vf-guids auto
journal_mark
expect_up pf
check "vf-guids auto: node and port GUID equal, locally administered, no group" eventually eval "
    for vf in 0 1; do set -- \$(guid \$vf); is \$1 \$2 && [[ \$1 == ?[26ae]:* ]] || exit 1; done; [ \"\$(guid 0)\" != \"\$(guid 1)\" ]"
first=$(guid 0)/$(guid 1)
check "vf 0 and 1: the driver has read no GUID yet" is "$(read_by 0) $(read_by 1)" "$none $none"
expect_journal 'ib0: the driver of virtual function 0 has read its GUID before; .* once the driver is unbound and bound again'
check "plan: names both functions to bind again" prints_only 2 to_bind_again
rebind 0
check "vf 0, bound again: the driver has read its GUID" has_read 0
check "plan, vf 0 bound again: names only vf 1" eval "
    prints 'virtual function 1 has read' plan_in_a_line && prints_no 'virtual function 0 has read' plan_in_a_line"
expect_down pf
check "vf 0 and 1, profile down: no functions are left" is "$(cat $pf/sriov_numvfs)" 0
journal_mark
expect_up pf
check "vf-guids auto: the same GUIDs when the functions are made again" eventually_is "$first" both
check "vf 0 and 1, made again: the driver has read the GUIDs" eval "has_read 0 && has_read 1"
check "vf 0 and 1, made again: nothing is logged" _never_said 'nm-ib:.*virtual function'

echo "$first" >/var/lib/lab/first
expect_nm_alive
expect_clean_kernel_log
# shellcheck disable=SC2086 # words
hca_at_boot $knobs
reboot_guest
