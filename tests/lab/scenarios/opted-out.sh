# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.skip yes for a profile: everything is NetworkManager's, and the other profile of the port is not
# with: plugin+dispatcher+cli (plugin) (dispatcher)
# releases: bookworm trixie
# alone: NetworkManager alone is what is asked for
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092
profile y ifname ib0 transport-mode datagram mtu 4092
words x skip=yes
journal_mark
expect_up x
expect_mtu ib0 2044
check "the offload that a quirk switches off stays on" never 3 eval "! is \"\$(_tso ib0)\" on"
expect_no_journal 'nm-ib: .*ib0'
! has cli || check "plan says so" eval "nm-ib plan ib0 | grep -q 'leaves everything to NetworkManager'"
printf '[main]\nlog-level=debug\n' >/etc/nm-infiniband/nm-ib.conf
check "reapply" nmcli device reapply ib0
has plugin || expect_journal 'nm-ib: ib0: the profile opted out'
expect_up y
expect_tso ib0 off
expect_nm_alive
