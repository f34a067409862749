# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a new profile that names a port by a name that will not find it
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
must nm-ib name set ib0 mlx4_ib0
fabric_unload
fabric
nm_start
name_of() { nmcli -g connection.interface-name connection show "$1"; }
add() { nm-ib connection add type infiniband autoconnect no ipv4.method disabled ipv6.method disabled "$@" 2>&1; }
address=$(cat $NET/mlx4_ib0/address)
check "the port has its name" test -e $NET/mlx4_ib0
out=$(add con-name by-mac mac "$address")
check "a profile with its mac-address is as typed" eval 'is "$(name_of by-mac)" "" && ! grep warning <<<"$out"'
check "  and comes up" up by-mac
must ip link property add dev mlx4_ib0 altname old_ib0
out=$(add con-name by-old ifname old_ib0)
check "one with an alternative name is as typed" is "$(name_of by-old)" old_ib0
check "  and nm-ib warns" grep -q 'old_ib0 is only an alternative name of mlx4_ib0' <<<"$out"
check "  and NetworkManager does not find the port" eval '! up by-old'
check "with --strict it is not saved" eval '! add --strict con-name strict ifname old_ib0 && ! nmcli connection show strict'
must nm-ib name set ib1 mlx4_ib1
out=$(add con-name early ifname ib1)
check "a name that comes with the next boot is not taken early" is "$(name_of early)" ib1
check "  and nm-ib warns" grep -q 'will be called mlx4_ib1 at the next boot' <<<"$out"
out=$(add con-name child infiniband.parent ib1 infiniband.p-key 0x8001)
check "  also of a P_Key child's parent" grep -q 'warning: ib1 will be called mlx4_ib1' <<<"$out"
expect_nm_alive
