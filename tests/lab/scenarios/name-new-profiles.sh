# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a new profile with a name that does not find its port
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
check "mlx4_ib0: has its name" test -e $NET/mlx4_ib0
out=$(add con-name by-mac mac "$address")
check "profile with a mac-address: saved as typed, no warning" eval 'prints_only "" name_of by-mac && ! grep warning <<<"$out"'
check "profile with a mac-address: comes up" up by-mac
must ip link property add dev mlx4_ib0 altname old_ib0
out=$(add con-name by-old ifname old_ib0)
check "profile with an alternative name: saved as typed" is "$(name_of by-old)" old_ib0
check "profile with an alternative name: nm-ib warns" grep -q 'old_ib0 is only an alternative name of mlx4_ib0' <<<"$out"
check "profile with an alternative name: NetworkManager does not find the port" ends 4 up by-old
check "profile with an alternative name, --strict: not saved" eval 'ends 1 add --strict con-name strict ifname old_ib0 && ends 10 nmcli connection show strict'
must nm-ib name set ib1 mlx4_ib1
out=$(add con-name early ifname ib1)
check "profile with a name that changes at the next boot: saved as typed" is "$(name_of early)" ib1
check "profile with a name that changes at the next boot: nm-ib warns" grep -q 'will be called mlx4_ib1 at the next boot' <<<"$out"
out=$(add con-name child infiniband.parent ib1 infiniband.p-key 0x8001)
check "P_Key child of a parent whose name changes at the next boot: nm-ib warns" grep -q 'warning: ib1 will be called mlx4_ib1' <<<"$out"
expect_nm_alive
