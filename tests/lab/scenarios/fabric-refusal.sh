# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a port's driver refuses connected mode although the address promises it, until it allows it
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric
set_mode() { echo "$2" >"$NET/$1/mode"; }

hca connected mlx4_0 1 refuse
ip link set ib0 up
expect_carrier ib0 1
echo 0x8002 >$NET/ib0/create_child
check "the address promises connected mode" is "$(cut -c1-2 $NET/ib0/address)" 80
check "it is refused" not set_mode ib0 connected
check "over rtnetlink too" not ip link set ib0 type ipoib mode connected
check "and to a child" not set_mode ib0.8002 connected
expect_mode ib0 datagram
expect_mode ib0.8002 datagram
expect_mtu ib0 2044
check "datagram mode is not refused" set_mode ib0 datagram
check "the other port has connected mode" set_mode ib1 connected
expect_mode ib1 connected
hca connected mlx4_0 1 allow
check "now it is allowed" set_mode ib0 connected
expect_mode ib0 connected
check "to a child too" set_mode ib0.8002 connected
fabric_unload
fabric
check "a new fabric knows nothing of it" set_mode ib0 connected
expect_clean_kernel_log
