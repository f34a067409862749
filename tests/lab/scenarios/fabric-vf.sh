# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: virtual functions accept GUIDs
# with: none
. ./lib.sh
fabric total_vfs=2
echo 2 >$NET/ib0/device/sriov_numvfs
check "ib0 vf 1: a node GUID is accepted" ip link set ib0 vf 1 node_guid 11:22:33:44:55:66:77:88
check "ib0 vf 1: ip link shows the node GUID" eval "ip link show ib0 | grep -q 'vf 1.*NODE_GUID 11:22:33:44:55:66:77:88'"
