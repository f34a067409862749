# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an HCA looks as it was asked to: names, GUIDs, PCI identity, driver
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx4_1,mlx4_2,mlx5_0 devid=0x634a,0x634a,0x1003,0x1017 rev=0xa0,0xb0,0,0 \
    driver=mlx4_core,mlx4_core,mlx4_core,mlx5_core enhanced=0,0,0,1 ports=2,1,2,1 \
    guid=0x0002c903000a0000,0x0002c903000b0000

identity() { cat "$NET/$1/device/"{vendor,device,revision} | tr '\n' ' '; basename "$(readlink "$NET/$1/device/driver")"; }
check "four HCAs" is "$(ls /sys/class/infiniband | tr '\n' ' ')" "mlx4_0 mlx4_1 mlx4_2 mlx5_0 "
check "six ports, six interfaces" is "$(ls -d $NET/ib? | wc -l)" 6
check "the link layer is InfiniBand" is "$(cat /sys/class/infiniband/mlx4_0/ports/1/link_layer)" InfiniBand
check "an address of 20 bytes" is "$(tr -cd : <$NET/ib0/address | wc -c)" 19
check "ConnectX rev a0" is "$(identity ib0)" "0x15b3 0x634a 0xa0 mlx4_core"
check "the same id, rev b0" is "$(identity ib2)" "0x15b3 0x634a 0xb0 mlx4_core"
check "ConnectX-3" is "$(identity ib3)" "0x15b3 0x1003 0x00 mlx4_core"
check "ConnectX-5" is "$(identity ib5)" "0x15b3 0x1017 0x00 mlx5_core"
check "hw_rev says a0" is "$(cat /sys/class/infiniband/mlx4_0/hw_rev)" a0
check "lspci sees them" is "$(lspci -n -d 15b3:634a | wc -l)" 2
check "node GUID as asked" is "$(cat /sys/class/infiniband/mlx4_1/node_guid)" 0002:c903:000b:0000
check "port GUID is the node's, plus the port" is "$(cut -d: -f13- $NET/ib1/address)" 00:02:c9:03:00:0a:00:02
check "ports of one HCA are told apart" is "$(cat $NET/ib1/dev_port)" 1
check "ibstat agrees" eval "ibstat mlx4_0 1 | grep -q 'Port GUID: 0x0002c903000a0001'"
expect_clean_kernel_log
