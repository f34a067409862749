# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an HCA with few scatter entries limits the connected MTU below 65520
# with: none
. ./lib.sh
fabric srq_sge=8
ip link set ib0 up
echo connected >$NET/ib0/mode
expect_mtu ib0 32752
check "ib0: MTU 65520 is refused" not ip link set ib0 mtu 65520
