# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a plugin that others may write: not loaded, the dispatcher's helper does the work
# with: plugin+dispatcher
# releases: bookworm (trixie)
# alone: TSO stays on
. ./lib.sh
fabric
must chmod g+w /usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so
nm_start
expect_journal 'libnm-device-plugin-infiniband.so: file has invalid permissions'
expect_helper_at_work
