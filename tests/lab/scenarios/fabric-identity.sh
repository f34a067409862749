# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: softhca presents the given names, GUIDs, PCI identities and drivers
# with: none
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx4_0,mlx4_1,mlx4_2,mlx5_0 devid=0x634a,0x634a,0x1003,0x1017 rev=0xa0,0xb0,0,0 \
    driver=mlx4_core,mlx4_core,mlx4_core,mlx5_core enhanced=0,0,0,1 ports=2,1,2,1 \
    guid=0x0002c903000a0000,0x0002c903000b0000

identity() { cat "$NET/$1/device/"{vendor,device,revision} | tr '\n' ' '; basename "$(readlink "$NET/$1/device/driver")"; }
check "fabric of four HCAs: the four names in sysfs" is "$(ls /sys/class/infiniband | tr '\n' ' ')" "mlx4_0 mlx4_1 mlx4_2 mlx5_0 "
check "fabric of six ports: six interfaces" is "$(ls -d $NET/ib? | wc -l)" 6
check "mlx4_0: the link layer is InfiniBand" is "$(cat /sys/class/infiniband/mlx4_0/ports/1/link_layer)" InfiniBand
check "ib0: the address has 20 bytes" is "$(tr -cd : <$NET/ib0/address | wc -c)" 19
check "ib0: PCI identity of ConnectX rev a0" is "$(identity ib0)" "0x15b3 0x634a 0xa0 mlx4_core"
check "ib2: PCI identity of ConnectX rev b0" is "$(identity ib2)" "0x15b3 0x634a 0xb0 mlx4_core"
check "ib3: PCI identity of ConnectX-3" is "$(identity ib3)" "0x15b3 0x1003 0x00 mlx4_core"
check "ib5: PCI identity of ConnectX-5" is "$(identity ib5)" "0x15b3 0x1017 0x00 mlx5_core"
check "mlx4_0: hw_rev is a0" is "$(cat /sys/class/infiniband/mlx4_0/hw_rev)" a0
check "lspci lists the two ConnectX" is "$(lspci -n -d 15b3:634a | wc -l)" 2
check "mlx4_1: the given node GUID" is "$(cat /sys/class/infiniband/mlx4_1/node_guid)" 0002:c903:000b:0000
check "ib1: the port GUID is the node GUID plus the port number" is "$(cut -d: -f13- $NET/ib1/address)" 00:02:c9:03:00:0a:00:02
check "ib1: dev_port is 1, the second port of its HCA" is "$(cat $NET/ib1/dev_port)" 1
check "mlx4_0: ibstat shows the port GUID" eval "ibstat mlx4_0 1 | grep -q 'Port GUID: 0x0002c903000a0001'"
expect_clean_kernel_log
