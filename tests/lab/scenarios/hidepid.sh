# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: /proc with hidepid: the helper still sees that the plugin is in charge, and nothing is logged twice
# with: plugin+dispatcher
# releases: bookworm trixie
# alone: up at 2044, nothing is logged about 4092
. ./lib.sh
must mount -o remount,hidepid=2,gid=1 /proc # without gid=1, root's group would see the processes
fabric
nm_start
profile p ifname ib0 transport-mode datagram mtu 4092
child c ib0 0x8002 transport-mode datagram mtu 4092
journal_mark
expect_up p
expect_up c
expect_mtu ib0 2044
check "the helper leaves the child to the plugin: no state file" stays no_file '/run/NetworkManager/nm-infiniband/child-*'
expect_journal_once 'nm-ib: ib0: MTU 4092 was requested, 2044 is in effect'
expect_journal_once 'nm-ib: ib0\.8002: MTU 4092 was requested, 2044 is in effect'
expect_down c
expect_no_link ib0.8002
expect_nm_alive
