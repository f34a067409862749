# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a plugin that needs a symbol which the daemon lacks: not loaded, the dispatcher's helper does the work
# with: plugin+dispatcher
# releases: bookworm (trixie)
# alone: TSO stays on
. ./lib.sh
fabric
object=/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so
must sed -i 's/\bg_type_register_static\b/g_type_register_statix/;s/\bg_signal_add_emission_hook\b/g_signal_add_emission_hoox/' $object
nm_start
expect_journal 'failed to load plugin: .*undefined symbol'
expect_helper_at_work
