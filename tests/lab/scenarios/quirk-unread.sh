# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an HCA identity that cannot be read: an error, not remembered; the quirk applies as soon as it can be read
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: TSO stays on, nothing is logged
. ./lib.sh
fabric rev=0xa0
nm_start
profile p ifname ib0 transport-mode datagram
child c ib0 0x8002 transport-mode datagram
file=$(realpath $NET/ib0/device/device)
must mkfifo /run/unreadable
must mount --bind /run/unreadable "$file"
journal_mark
expect_up p
expect_up c
expect_journal_once 'nm-ib: ib0: a value that a quirk compares cannot be read: .*/device: not a regular file'
expect_journal_once 'nm-ib: ib0\.8002: a value that a quirk compares cannot be read: .*/device: not a regular file'
expect_tso ib0 on
must umount "$file"
journal_mark
expect_up p
expect_tso ib0 off
expect_up c
expect_tso ib0.8002 off
expect_no_journal 'cannot be read'
expect_profile_kept p
expect_nm_alive
