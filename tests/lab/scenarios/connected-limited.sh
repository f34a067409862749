# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: connected mode on an HCA that allows less than 65520: up at the highest MTU it allows, with the reason in the journal
# with: plugin+dispatcher plugin dispatcher
# alone: up with MTU 32752 since the mode sets it, but with a warning about the MTU that names no limit
. ./lib.sh
fabric srq_sge=8
nm_start
profile x ifname ib0 transport-mode connected mtu 65520
expect_up x
expect_mode ib0 connected
expect_mtu ib0 32752
expect_journal_once 'nm-ib: .*ib0: MTU 65520 was requested, 32752'
expect_profile_kept x
