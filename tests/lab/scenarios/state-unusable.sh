# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: /run/NetworkManager/nm-infiniband is unusable: the journal has the reasons all the same
# with: plugin+dispatcher dispatcher
# releases: bookworm (trixie)
# alone: up at 2044, without a reason
. ./lib.sh
mkdir -p /run/NetworkManager/nm-infiniband
chmod 775 /run/NetworkManager/nm-infiniband # others may write here, so nm-ib does not use it
fabric
printf '[a]\nBogus=1\n' >/etc/nm-infiniband/quirks.d/50-a.conf
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092
expect_up x
expect_mtu ib0 2044
expect_journal 'nm-ib: ib0: MTU 4092 was requested, 2044 is in effect'
expect_journal 'nm-ib: .*50-a.conf'
expect_profile_kept x
expect_nm_alive
