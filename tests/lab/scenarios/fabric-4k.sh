# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a 4096 fabric allows 4092, a broadcast group of 2048 on it allows 2044
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric active_mtu=4096
ip link set ib0 up
expect_carrier ib0 1
expect_mtu ib0 4092
fabric_unload
fabric active_mtu=4096 group_mtu=2048
ip link set ib0 up
expect_carrier ib0 1
expect_mtu ib0 2044
