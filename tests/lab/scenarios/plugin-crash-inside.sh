# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a daemon that died inside the plugin's code starts without the plugin, until the marker is removed
# with: plugin+dispatcher
# alone: no plugin, nothing is logged
. ./lib.sh
fabric
nm_start
nm_crash KILL
printf '!' | dd of=/run/NetworkManager/nm-infiniband/crash-marker conv=notrunc status=none
journal_mark
nm_start
expect_journal 'NetworkManager ended while this plugin was at work: plugin not loaded'
expect_helper_at_work
nm_stop
must rm /run/NetworkManager/nm-infiniband/crash-marker
journal_mark
nm_start
expect_no_journal 'nm-ib: .*not loaded'
profile y ifname ib1 transport-mode connected
expect_up y
expect_mode ib1 connected
