# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: connected mode that the driver refuses, where a quirk says to try first: up in datagram mode, with the reason in the journal
# with: plugin+dispatcher plugin
# releases: bookworm (trixie)
# alone: the activation fails: config-failed
. ./lib.sh
fabric
hca connected mlx4_0 1 refuse
peer ib1 datagram 192.0.2.2/24 2001:db8::2/64
mkdir -p /etc/nm-infiniband/quirks.d
printf '[refuses]\nMatchDriver=mlx4_core\nTry=transport-mode:connected\n' >/etc/nm-infiniband/quirks.d/refuses.conf
nm_start
profile x ifname ib0 transport-mode connected mtu 65520 ipv4.method manual ipv4.addresses 192.0.2.1/24 \
    ipv6.method manual ipv6.addresses 2001:db8::1/64
flaps() { cat $NET/ib0/carrier_changes; }
refused="requests connected mode, which is not possible: the driver refused the mode"

journal_mark
expect_up x
expect_carrier ib0 1
before=$(flaps)
expect_mode ib0 datagram
expect_mtu ib0 2044
expect_state ib0 connected
expect_ping 192.0.2.2 2016
expect_ping 2001:db8::2
expect_journal_once "nm-ib: .*ib0: profile 'x' $refused, using datagram mode instead"
expect_profile_kept x
check "ib0: reapply succeeds" nmcli device reapply ib0
nm_restart
expect_state ib0 connected
check "ib0: the link in use is not taken down for another try" stays file_is $before $NET/ib0/carrier_changes
expect_mode ib0 datagram

child c ib0 0x8002 transport-mode connected
journal_mark
expect_up c
expect_mode ib0.8002 datagram
expect_mtu ib0.8002 2044
expect_journal_once "nm-ib: .*ib0.8002: profile 'c' $refused, using datagram mode instead"

printf '[main]\nconnected-impossible=fail\n' >/etc/nm-infiniband/nm-ib.conf
journal_mark
expect_no_up x
expect_journal_once "nm-ib: .*ib0: profile 'x' $refused; the activation fails"
expect_profile_kept x
hca connected mlx4_0 1 allow
expect_up x
expect_mode ib0 connected
expect_mtu ib0 65520
expect_nm_alive
expect_clean_kernel_log
