# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a child of a parent whose name has 11 to 15 characters: said why, nothing left
# with: plugin+dispatcher (plugin)
# releases: bookworm (trixie)
# alone: 11 to 14: up fails and leaves the kernel's child behind; 15 (NetworkManager 1.52): the parent is pushed onto its own partition
. ./lib.sh
fabric
nm_start
parent=ib0
for name in mlx4_ib0_11 mlx4_ib0_13xx mlx4_ib0_15xxxx; do
    nm_stop
    rename_link $parent $name
    parent=$name
    nm_start
    child "c-$name" $name 0x8002 transport-mode datagram
    journal_mark
    up "c-$name" >/dev/null 2>&1
    check "no partition is left" eventually eval "is \"\$(grep -l 0x8002 $NET/*/pkey)\" ''"
    check "the parent keeps its partition" is "$(cat $NET/$name/pkey)" 0xffff
    expect_journal 'nm-ib: .*(more than 10 characters|at most 10 characters)'
done
expect_nm_alive
