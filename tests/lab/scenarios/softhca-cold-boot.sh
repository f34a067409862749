# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the guest boots, starts NetworkManager and survives a real reboot
# with: none
# tests: softhca
# releases: bookworm (trixie)
# boot: cold
. ./lib.sh
check "boot $PHASE: systemd reaches basic.target" systemctl is-active basic.target
fabric
check "boot $PHASE: ib_ipoib attaches" test -e $NET/ib0/mode
nm_start
expect_state ib0 disconnected
check "boot $PHASE: softhca is loaded" grep -q softhca /proc/modules
[ "$PHASE" = 2 ] || reboot_guest
expect_clean_kernel_log
