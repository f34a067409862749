# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a virtual function in use keeps its GUID: interface up, or another driver; removing the word restores the previous GUIDs
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx5_0 driver=mlx5_core devid=0x1017 ports=1 total_vfs=3 vf_driver=1
nm_start
pf=$NET/ib0/device
# guid VF: node GUID and port GUID, from the kernel's list
guid() { ip link show ib0 | sed -n "s/.*vf $1 .*NODE_GUID \([0-9a-f:]*\).*PORT_GUID \([0-9a-f:]*\).*/\1 \2/p"; }
both() { echo "$(guid 0)/$(guid 1)"; }
address() { basename "$(readlink $pf/virtfn"$1")"; }
none=00:00:00:00:00:00:00:00
must nm-ib connection add type infiniband con-name pf ifname ib0 transport-mode datagram autoconnect no ipv4.method disabled ipv6.method disabled \
    sriov.total-vfs 2 rdma.vf-guids auto
expect_up pf
check "new virtual functions: have GUIDs" eventually eval "prints -E '^([0-9a-f:]{23} ?){2}\$' guid 0 && prints_no $none guid 0 && prints -E '^([0-9a-f:]{23} ?){2}\$' guid 1 && prints_no $none guid 1"
first=$(guid 0)/$(guid 1)
for i in 0 1; do check "vf $i: NetworkManager has brought up the interface" eventually eval "ip link show \"\$(ls $pf/virtfn$i/net)\" | grep -w UP"; done

# By reapply: at a second 'up' NetworkManager makes the functions again.
must nm-ib connection modify pf rdma.vf-guids 0=02:00:00:00:00:00:00:10,1=02:00:00:00:00:00:00:11
journal_mark
must nmcli device reapply ib0
expect_journal 'ib0: virtual function 0 is in use and keeps its GUID; 0200:0000:0000:0010 is set once it is not in use'
expect_journal 'ib0: virtual function 1 is in use and keeps its GUID'
check "vf 0 and 1, in use: keep their GUIDs" is "$(guid 0)/$(guid 1)" "$first"
link=$(ls $pf/virtfn0/net)
must nmcli device set "$link" managed no
must ip link set "$link" down
must modprobe pci-stub # as for a guest: no driver of this machine
address 1 >$pf/virtfn1/driver/unbind
echo pci-stub >$pf/virtfn1/driver_override
address 1 >/sys/bus/pci/drivers/pci-stub/bind
journal_mark
must nmcli device reapply ib0
check "vf 0, interface down: gets the new GUID" eventually_is '02:00:00:00:00:00:00:10 02:00:00:00:00:00:00:10' guid 0
expect_journal 'the driver of virtual function 0 has read its GUID before'
expect_journal 'ib0: virtual function 1 is in use and keeps its GUID'
check "vf 1, other driver: keeps its GUID" is "$(guid 1)" "${first#*/}"
address 1 >/sys/bus/pci/drivers/pci-stub/unbind
journal_mark
must nmcli device reapply ib0
check "vf 1, no driver: gets the new GUID" eventually_is '02:00:00:00:00:00:00:11 02:00:00:00:00:00:00:11' guid 1
expect_no_journal 'the driver of virtual function 1'

must nm-ib connection modify pf rdma.vf-guids ''
must nmcli device reapply ib0
check "rdma.vf-guids removed: the previous GUIDs are restored" eventually_is "$none $none/$none $none" both
check "rdma.vf-guids removed: no state file is left" eventually no_file '/run/NetworkManager/nm-infiniband/rdma-*'
expect_nm_alive
expect_clean_kernel_log
