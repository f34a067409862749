# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the kernel's rules for transport mode and MTU hold on the soft HCA
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx5_0 driver=mlx4_core,mlx5_core devid=0x634a,0x1017 rev=0xa0,0 enhanced=0,1
set_mode() { echo "$2" >"$NET/$1/mode"; }

ip link set ib0 up
expect_carrier ib0 1
expect_mtu ib0 2044
check "ib0: connected mode is accepted" set_mode ib0 connected
expect_mtu ib0 65520
check "ib0, connected: MTU 65521 is refused" not ip link set ib0 mtu 65521
check "ib0: datagram mode is accepted" set_mode ib0 datagram
expect_mtu ib0 2044
ip link set ib0 mtu 4092
expect_mtu ib0 2044
check "ib0, datagram: MTU 4093 is refused" not ip link set ib0 mtu 4093
check "ib2, enhanced IPoIB: connected mode is refused" not set_mode ib2 connected
check "ib2, enhanced IPoIB: the address has no RC bit" is "$(cut -c1-2 $NET/ib2/address)" 00
expect_clean_kernel_log
