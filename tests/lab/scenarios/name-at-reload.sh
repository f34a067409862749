# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a port keeps its name with another queue pair number and subnet prefix, until the name is unset
# with: cli
# releases: bookworm trixie
. ./lib.sh
fabric qpn_base=0x100
before=$(cat $NET/ib0/address)
name_port ib0 mlx4_ib0
fabric_unload
fabric qpn_base=0x200 gid_prefix=0xfec0000000000001
expect_name mlx4_ib0 0002:c903:000a:0001
expect_name ib1 0002:c903:000a:0002
check "mlx4_ib0: has another address" [ "$(cat $NET/mlx4_ib0/address)" != "$before" ]
check "mlx4_ib0: udev's own name is an alternative name" ip link show ibP1p65s0
check "name check: the name holds with another address" nm-ib name check
must ip link set mlx4_ib0 up
expect_carrier mlx4_ib0 1
hca prefix mlx4_0 1 0xfec0000000000002
check "mlx4_ib0: gets another prefix from the subnet manager" eventually eval "hca event mlx4_0 1 rereg; grep fe:c0:00:00:00:00:00:02 $NET/mlx4_ib0/address"
check "name check: the name holds with another prefix" nm-ib name check
ip link set mlx4_ib0 down
must nm-ib name unset mlx4_ib0
check "name unset: no .link file is left" no_file '/etc/systemd/network/70-nm-infiniband-*'
fabric_unload
fabric
expect_name ib0 0002:c903:000a:0001
journalctl --sync
check "udevd: logs nothing about ports, .link files or nm-infiniband" prints_no -E -i 'ib[0-9]|\.link|nm-infiniband' journalctl -b -u systemd-udevd -o cat
