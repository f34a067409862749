# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a .link file with all 20 bytes, as guides print it, loses its port with the queue pair number; a name of nm-ib does not
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric qpn_base=0x100
mkdir -p /etc/systemd/network
printf '[Match]\nMACAddress=%s\n[Link]\nName=guide_ib0\n' "$(cat $NET/ib0/address)" >/etc/systemd/network/70-guide.link
name_port ib1 mlx4_ib1
fabric_unload
fabric qpn_base=0x100
expect_name guide_ib0 0002:c903:000a:0001
expect_name mlx4_ib1 0002:c903:000a:0002
fabric_unload
fabric qpn_base=0x200
expect_name ib0 0002:c903:000a:0001
expect_name mlx4_ib1 0002:c903:000a:0002
