# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: softhca offers TSO and checksum offload for each HCA as given
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx4_1,mlx4_2 ports=1 lso=1,0,1 csum=1,1,0
csum_of() { ethtool -k "$1" | sed -n 's/^[[:space:]]*tx-checksum-ipv4: //p'; }
expect_tso ib0 on
expect_tso ib1 "off [fixed]"
expect_tso ib2 "off [fixed]"
check "ib1: checksum offload is on" is "$(csum_of ib1)" on
check "ib2: checksum offload is off and fixed" is "$(csum_of ib2)" "off [fixed]"
echo connected >$NET/ib0/mode
expect_tso ib0 "off [requested on]"
check "ib0: TSO can be switched off in connected mode" ethtool -K ib0 tso off
echo datagram >$NET/ib0/mode
expect_tso ib0 off
echo 0x8002 >$NET/ib0/create_child
expect_tso ib0.8002 on
