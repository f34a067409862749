# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: two ports of one HCA, and two equal HCAs that swap places: each port keeps its name
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx4_1 ports=2,1 guid=0x0002c903000a0000,0x0002c903000b0000
name_port ib0 left_ib0
name_port ib1 left_ib1
name_port ib2 right_ib0
for order in kept swapped; do
    note "$order"
    fabric_unload
    if [ $order = kept ]; then
        fabric name=mlx4_0,mlx4_1 ports=2,1 guid=0x0002c903000a0000,0x0002c903000b0000
    else
        fabric name=mlx4_0,mlx4_1 ports=1,2 guid=0x0002c903000b0000,0x0002c903000a0000
    fi
    expect_name left_ib0 0002:c903:000a:0001
    expect_name left_ib1 0002:c903:000a:0002
    expect_name right_ib0 0002:c903:000b:0001
done
check "mlx4_0: is the other HCA now" test -e /sys/class/infiniband/mlx4_0/device/net/right_ib0
check "name check: all names hold" nm-ib name check
