# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: connected-impossible=fail: the activation fails where connected mode is impossible, with the reason
# with: plugin+dispatcher plugin
# releases: bookworm (trixie)
# alone: the activation fails as often, without the reason
. ./lib.sh
fabric name=mlx5_0 driver=mlx5_core devid=0x1017 rev=0 enhanced=1
printf '[main]\nconnected-impossible=fail\n' >/etc/nm-infiniband/nm-ib.conf
nm_start
profile x ifname ib0 transport-mode connected
journal_mark
expect_no_up x
expect_journal_once "nm-ib: .*ib0: profile 'x' requests connected mode, which is not possible: .*; the activation fails"
hint() { journalctl -b -o cat NM_CONNECTION="$(nmcli -g connection.uuid connection show x)" + NM_DEVICE=ib0; }
check "the journalctl query that nmcli prints shows the reason" eventually prints -E 'nm-ib: .*the activation fails because of' hint
expect_profile_kept x
modify x infiniband.transport-mode datagram
expect_up x
expect_mode ib0 datagram
expect_nm_alive
