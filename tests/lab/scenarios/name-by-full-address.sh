# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a name by all 20 bytes, as guides have it, is lost with the queue pair number; nm-ib warns, and check says so
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric qpn_base=0x100
check "nm-ib warns" eval "nm-ib name set ib0 mlx4_ib0 --match mac 2>&1 | grep -i warning"
check "it is the form of the guides" grep -x "MACAddress=$(cat $NET/ib0/address)" /etc/systemd/network/70-nm-infiniband-mlx4_ib0.link
must udevadm control --reload
fabric_unload
fabric qpn_base=0x100
expect_name mlx4_ib0 0002:c903:000a:0001
fabric_unload
fabric qpn_base=0x200
expect_name ib0 0002:c903:000a:0001
check "nm-ib says that the name does not hold" not nm-ib name check
