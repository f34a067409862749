# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a plugin that others may write: not loaded, all goes on without it
# with: plugin+dispatcher
# releases: bookworm trixie
# alone: TSO stays on
. ./lib.sh
fabric
must chmod g+w /usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so
nm_start
expect_journal 'libnm-device-plugin-infiniband.so: file has invalid permissions'
expect_nm_alive
profile x ifname ib0 transport-mode datagram mtu 4092
journal_mark
expect_up x
expect_mtu ib0 2044
expect_tso ib0 off
expect_journal "nm-dispatcher.*nm-ib: .*ib0: MTU 4092 was asked for|nm-ib: .*ib0: MTU 4092 was asked for"
