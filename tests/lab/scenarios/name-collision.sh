# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: another interface has the name: the port keeps the kernel's name and works, and nm-ib reports this
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
must ip link add mlx4_ib0 type dummy
check "name set, name in use: refused" refused_with 2 mlx4_ib0 nm-ib name set ib0 mlx4_ib0
check "name set, name in use: no .link file is written" no_file '/etc/systemd/network/70-nm-infiniband-*'
must ip link del mlx4_ib0
name_port ib0 mlx4_ib0
fabric_unload
must ip link add mlx4_ib0 type dummy
journal_mark
fabric
expect_name ib0 0002:c903:000a:0001
expect_journal 'Failed to rename network interface .* from .ib0. to .mlx4_ib0.: File exists'
check "name check, name in use: fails" prints -s 1 mlx4_ib0 nm-ib name check
nm_start
profile x ifname ib0 transport-mode datagram
expect_up x
nm_stop
fabric_unload
must ip link del mlx4_ib0
fabric
expect_name mlx4_ib0 0002:c903:000a:0001
check "name check, name free again: the name holds" nm-ib name check
