# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a new profile for a port with a name of ours gets that name
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
must nm-ib name set ib0 mlx4_ib0 --keep-old-name
fabric_unload
fabric
nm_start
name_of() { nmcli -g connection.interface-name connection show "$1"; }
add() { nm-ib connection add type infiniband autoconnect no ipv4.method disabled ipv6.method disabled "$@" 2>&1; }
address=$(cat $NET/mlx4_ib0/address)
check "the port has its name" test -e $NET/mlx4_ib0
out=$(add con-name by-mac mac "$address")
check "a profile with its mac-address gets the name" is "$(name_of by-mac)" mlx4_ib0
check "  and that is said" grep -q 'connection.interface-name set to mlx4_ib0' <<<"$out"
check "  and it comes up" up by-mac
out=$(add con-name by-old ifname ib0)
check "so does one with the alternative name" is "$(name_of by-old)" mlx4_ib0
check "one with a name that is no port's is as typed" eval 'add con-name other ifname ib9 && is "$(name_of other)" ib9'
other=$(cat $NET/ib1/address)
check "a port without a name of ours keeps to its mac-address" eval 'add con-name second mac "$other" && is "$(name_of second)" ""'
must nm-ib name set ib1 mlx4_ib1
out=$(add con-name early ifname ib1)
check "a name that comes with the next boot is not taken early" is "$(name_of early)" ib1
check "  and that is said" grep -q 'will be called mlx4_ib1 at the next boot' <<<"$out"
must nm-ib connection modify second infiniband.mac-address "$address"
check "a changed mac-address gets the name too" is "$(name_of second)" mlx4_ib0
expect_nm_alive
