# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.skip yes: nm-ib ignores this profile, but not the other profile of the port
# with: plugin+dispatcher+cli plugin dispatcher
# releases: bookworm trixie
# alone: the same
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092
profile y ifname ib0 transport-mode datagram mtu 4092
words x skip=yes
journal_mark
expect_up x
expect_mtu ib0 2044
check "ib0, rdma.skip yes: the quirk does not switch TSO off" stays prints_only on _tso ib0
expect_no_journal 'nm-ib: .*ib0'
! has cli || check "plan, rdma.skip yes: reports that everything is left to NetworkManager" prints 'leaves everything to NetworkManager' nm-ib plan ib0
printf '[main]\nlog-level=debug\n' >/etc/nm-infiniband/nm-ib.conf
check "ib0, rdma.skip yes: reapply succeeds" nmcli device reapply ib0
has plugin || expect_journal 'nm-ib: ib0: the profile has rdma.skip yes'
expect_up y
expect_tso ib0 off
expect_nm_alive
