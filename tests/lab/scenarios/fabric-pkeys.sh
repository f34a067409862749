# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the P_Key table decides which child gets a carrier
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric pkeys=0xffff,0x8001,0x8002
check "mlx4_0: the P_Key table is as given" is "$(cat /sys/class/infiniband/mlx4_0/ports/1/pkeys/2)" 0x8002
ip link set ib0 up
for key in 0x8002 0x8005; do
    echo $key >$NET/ib0/create_child
done
ip link set ib0.8002 up
ip link set ib0.8005 up
expect_carrier ib0.8002 1
check "ib0.8005: no carrier without an entry in the P_Key table" never 2 eval "is \"\$(cat $NET/ib0.8005/carrier)\" 1"
hca pkey mlx4_0 1 3 0x8005
expect_carrier ib0.8005 1
check "a child can be made by rtnetlink" ip link add link ib0 name kid type ipoib pkey 0x8001 mode datagram
ip link set kid up
expect_carrier kid 1
expect_clean_kernel_log
