# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a daemon that keeps dying soon after loading the plugin is started without it
# with: plugin+dispatcher
# releases: bookworm trixie
# alone: no plugin, nothing to say
. ./lib.sh
fabric
for start in 1 2 3; do
    note "start $start"
    nm_start
    nm_crash SEGV
done
journal_mark
nm_start
expect_journal 'NetworkManager ended 3 times in a row within .* not loaded, built-in handling stays in charge'
expect_nm_alive
profile x ifname ib0 transport-mode datagram mtu 4092
journal_mark
expect_up x
expect_mtu ib0 2044
expect_tso ib0 off
expect_journal "nm-dispatcher.*nm-ib: .*ib0: MTU 4092 was asked for|nm-ib: .*ib0: MTU 4092 was asked for"
