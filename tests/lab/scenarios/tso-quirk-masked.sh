# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an empty quirk file of the same name in /etc switches the quirk off; an invalid file is skipped and logged
# with: plugin+dispatcher plugin dispatcher
# alone: TSO is on
. ./lib.sh
fabric
mkdir -p /etc/nm-infiniband/quirks.d
: >/etc/nm-infiniband/quirks.d/10-mlx4.conf
printf '[bad]\nMatchDriver=mlx4_core\nFeature.tx-tcp-segmentation=sideways\n' >/etc/nm-infiniband/quirks.d/90-bad.conf
journal_mark
nm_start
profile x ifname ib0 transport-mode datagram
expect_up x
expect_journal 'nm-ib: .*90-bad.conf.*Feature.tx-tcp-segmentation'
check "ib0, quirk file masked: TSO stays on" stays prints_only on _tso ib0
rm /etc/nm-infiniband/quirks.d/10-mlx4.conf
expect_down x
expect_up x
expect_tso ib0 off
