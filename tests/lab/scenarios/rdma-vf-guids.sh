# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.vf-guids: virtual functions have the GUIDs of the profile, or ones that stay, over up, down and a new start of the driver
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric total_vfs=3
echo 2 >$NET/ib0/device/sriov_numvfs
nm_start
# guid VF: node and port
guid() { ip link show ib0 | sed -n "s/.*vf $1 .*NODE_GUID \([0-9a-f:]*\).*PORT_GUID \([0-9a-f:]*\).*/\1 \2/p"; }
must nm-ib connection add type infiniband con-name pf ifname ib0 transport-mode datagram autoconnect no ipv4.method disabled ipv6.method disabled \
    rdma.vf-guids 0=0011:2233:4455:6677,1=11:22:33:44:55:66:77:88
journal_mark
expect_up pf
check "as the profile says" eventually eval "is \"\$(guid 0)\" '00:11:22:33:44:55:66:77 00:11:22:33:44:55:66:77'"
check "  both" eventually eval "is \"\$(guid 1)\" '11:22:33:44:55:66:77:88 11:22:33:44:55:66:77:88'"
expect_journal 'ib0: GUID of virtual function 1: 1122:3344:5566:7788'
must nm-ib connection modify pf rdma.vf-guids auto
expect_up pf
check "of our own making: node and port alike, local, no group" eventually eval "
    set -- \$(guid 0); is \$1 \$2 && [[ \$1 == ?[26ae]:* ]] && [ \"\$(guid 1)\" != \"\$(guid 0)\" ]"
first=$(guid 0)/$(guid 1)
expect_down pf
ip link set ib0 vf 0 node_guid 00:00:00:00:00:00:00:01
expect_up pf
check "the same again" eventually eval "is \"\$(guid 0)/\$(guid 1)\" '$first'"
nm_stop
fabric_unload
fabric total_vfs=3
echo 2 >$NET/ib0/device/sriov_numvfs
nm_start
expect_up pf
check "  and with a driver that starts anew" eventually eval "is \"\$(guid 0)/\$(guid 1)\" '$first'"
must nm-ib connection modify pf rdma.vf-guids 7=11:22:33:44:55:66:77:88
journal_mark
expect_up pf
expect_journal 'ib0: rdma.vf-guids 7: there is no such virtual function now'
check "bad words: one line, exit 2" eval "
    for w in 0 0=1 0=0000:0000:0000:0000 'auto,1=11:22:33:44:55:66:77:88' '0=11:22:33:44:55:66:77:88,0=11:22:33:44:55:66:77:89'; do
        nm-ib connection modify pf rdma.vf-guids \"\$w\" 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1' || exit; done"
expect_nm_alive
expect_clean_kernel_log
