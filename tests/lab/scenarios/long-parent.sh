# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a child of a parent with a name of 11 to 15 characters: the journal has the reason, no interface is left
# with: plugin+dispatcher plugin
# releases: bookworm (trixie)
# alone: 11 to 14: up fails and leaves the kernel's child behind; 15 (NetworkManager 1.52): the parent gets the child's P_Key
. ./lib.sh
fabric
nm_start
# NetworkManager 1.52 cuts the child's name to 15 characters, and uses the parent as the child
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
        check "$name: the parent is not active on the child's profile" prints_no -E -x c-$name nmcli -g NAME connection show --active
    fi
    check "$name: no partition is left" eventually_is -s 1 '' grep -l 0x8002 $NET/*/pkey
    check "$name: the parent keeps its P_Key" is "$(cat $NET/$name/pkey)" 0xffff
    expect_journal 'nm-ib: .*(more than 10 characters|at most 10 characters)'
done
expect_nm_alive
