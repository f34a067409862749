# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a port's driver refuses connected mode, although the address promises it, until the driver is set to allow it
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric
set_mode() { echo "$2" >"$NET/$1/mode"; }

hca connected mlx4_0 1 refuse
ip link set ib0 up
expect_carrier ib0 1
echo 0x8002 >$NET/ib0/create_child
check "ib0: the address promises connected mode" is "$(cut -c1-2 $NET/ib0/address)" 80
check "ib0: the driver refuses connected mode over sysfs" not set_mode ib0 connected
check "ib0: the driver refuses connected mode over rtnetlink" not ip link set ib0 type ipoib mode connected
check "ib0.8002: the driver refuses connected mode" not set_mode ib0.8002 connected
expect_mode ib0 datagram
expect_mode ib0.8002 datagram
expect_mtu ib0 2044
check "ib0: datagram mode is accepted" set_mode ib0 datagram
check "ib1: connected mode is accepted on the other port" set_mode ib1 connected
expect_mode ib1 connected
hca connected mlx4_0 1 allow
check "ib0: connected mode is accepted after the driver allows it" set_mode ib0 connected
expect_mode ib0 connected
check "ib0.8002: connected mode is accepted after the driver allows it" set_mode ib0.8002 connected
fabric_unload
fabric
check "ib0: connected mode is accepted on a newly loaded fabric" set_mode ib0 connected
expect_clean_kernel_log
