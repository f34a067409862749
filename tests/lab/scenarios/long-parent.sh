# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a child of a parent whose name has 11 to 15 characters: said why, nothing left
# with: plugin+dispatcher (plugin)
# releases: bookworm (trixie)
# alone: 11 to 14: up fails and leaves the kernel's child behind; 15 (NetworkManager 1.52): the parent is pushed onto its own partition
. ./lib.sh
fabric
nm_start
# NetworkManager 1.52 cuts the child's name to 15, and takes the parent for it
is_misplaced() { [ ${#1} = 15 ] && [[ $(NetworkManager --version) != 1.42.* ]]; }
parent=ib0
for name in mlx4_ib0_11 mlx4_ib0_13xx mlx4_ib0_15xxxx; do
    nm_stop
    rename_link $parent $name
    parent=$name
    nm_start
    child "c-$name" $name 0x8002 transport-mode datagram
    journal_mark
    if is_misplaced $name; then
        up "c-$name" >/dev/null 2>&1
    else
        expect_no_up "c-$name"
        check "the parent is not on the child's profile" not eval "nmcli -g NAME connection show --active | grep -qx c-$name"
    fi
    check "no partition is left" eventually eval "is \"\$(grep -l 0x8002 $NET/*/pkey)\" ''"
    check "the parent keeps its partition" is "$(cat $NET/$name/pkey)" 0xffff
    expect_journal 'nm-ib: .*(more than 10 characters|at most 10 characters)'
done
expect_nm_alive
