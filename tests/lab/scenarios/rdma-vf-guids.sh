# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.vf-guids: virtual functions have the profile's GUIDs, or generated ones that stay after up, down and a driver reload
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric total_vfs=3
echo 2 >$NET/ib0/device/sriov_numvfs
nm_start
# guid VF: node GUID and port GUID
guid() { ip link show ib0 | sed -n "s/.*vf $1 .*NODE_GUID \([0-9a-f:]*\).*PORT_GUID \([0-9a-f:]*\).*/\1 \2/p"; }
both() { echo "$(guid 0)/$(guid 1)"; }
must nm-ib connection add type infiniband con-name pf ifname ib0 transport-mode datagram autoconnect no ipv4.method disabled ipv6.method disabled \
    rdma.vf-guids 0=0011:2233:4455:6677,1=11:22:33:44:55:66:77:88
journal_mark
expect_up pf
check "vf 0: has the profile's GUID" eventually_is '00:11:22:33:44:55:66:77 00:11:22:33:44:55:66:77' guid 0
check "vf 1: has the profile's GUID" eventually_is '11:22:33:44:55:66:77:88 11:22:33:44:55:66:77:88' guid 1
expect_journal 'ib0: GUID of virtual function 1: 1122:3344:5566:7788'
must nm-ib connection modify pf rdma.vf-guids auto
expect_up pf
check "vf-guids auto: node and port GUID equal, locally administered, no group" eventually eval "
    set -- \$(guid 0); is \$1 \$2 && [[ \$1 == ?[26ae]:* ]] && [ \"\$(guid 1)\" != \"\$(guid 0)\" ]"
first=$(guid 0)/$(guid 1)
expect_down pf
ip link set ib0 vf 0 node_guid 00:00:00:00:00:00:00:01
expect_up pf
check "vf-guids auto: the same GUIDs after down and up" eventually_is "$first" both
nm_stop
fabric_unload
fabric total_vfs=3
echo 2 >$NET/ib0/device/sriov_numvfs
nm_start
expect_up pf
check "vf-guids auto: the same GUIDs after a driver reload" eventually_is "$first" both
must nm-ib connection modify pf rdma.vf-guids 7=11:22:33:44:55:66:77:88
journal_mark
expect_up pf
expect_journal 'ib0: rdma.vf-guids 7: this virtual function does not exist'
for value in 0 0=1 0=0000:0000:0000:0000 'auto,1=11:22:33:44:55:66:77:88' '0=11:22:33:44:55:66:77:88,0=11:22:33:44:55:66:77:89'; do
    check "modify, rdma.vf-guids $value: one line, exit 2" refused_with 2 rdma.vf-guids nm-ib connection modify pf rdma.vf-guids "$value"
done
beyond() { # WORDS...: a GUID for a function that the profile does not make
    local said code=0
    said=$(nm-ib connection "$@" 2>&1 >/dev/null) || code=$?
    is "$code $said" '2 Error: rdma.vf-guids has a GUID for virtual function 9, and with sriov.total-vfs 4 the highest is 3.'
}
nine=9=11:22:33:44:55:66:77:88
check "add, GUID beyond sriov.total-vfs: refused" beyond add type infiniband con-name other ifname ib0 sriov.total-vfs 4 rdma.vf-guids $nine
check "modify, GUID beyond sriov.total-vfs in the same call: refused" beyond modify pf sriov.total-vfs 4 rdma.vf-guids $nine
must nm-ib connection modify pf sriov.total-vfs 4 rdma.vf-guids 3=11:22:33:44:55:66:77:88
check "modify, GUID beyond the stored sriov.total-vfs: refused" beyond modify pf rdma.vf-guids $nine
must nm-ib connection modify pf sriov.total-vfs 0 rdma.vf-guids $nine
check "modify, sriov.total-vfs below the stored GUIDs: refused" beyond modify pf sriov.total-vfs 4
expect_nm_alive
expect_clean_kernel_log
