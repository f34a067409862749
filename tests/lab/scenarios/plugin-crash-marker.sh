# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a daemon that repeatedly dies soon after loading the plugin is started without it
# with: plugin+dispatcher
# releases: bookworm (trixie)
# alone: no plugin, nothing is logged
. ./lib.sh
fabric
for start in 1 2 3; do
    note "start $start"
    nm_start
    nm_crash SEGV
done
journal_mark
nm_start
expect_journal 'NetworkManager ended 3 times in a row within .* plugin not loaded, using built-in handling instead'
expect_helper_at_work
