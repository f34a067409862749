# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: reapply works, also where nm-ib changed the applied connection
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: NetworkManager alone reapplies; the MTU line is missing
. ./lib.sh
fabric
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092 ipv4.method manual ipv4.addresses 192.0.2.1/24
expect_up x
expect_mtu ib0 2044
check "reapply without a change: succeeds" nmcli device reapply ib0
check "reapply without a change: MTU stays 2044" settled file_is 2044 $NET/ib0/mtu
modify x infiniband.mtu 2000 ipv4.addresses 192.0.2.9/24
check "reapply of a new MTU and address: succeeds" nmcli device reapply ib0
expect_mtu ib0 2000
check "reapply of a new MTU and address: the address is set" eventually prints 192.0.2.9/24 ip -4 -br address show ib0
journal_mark
modify x infiniband.mtu 4000
check "reapply of an MTU that is too large: succeeds" nmcli device reapply ib0
check "reapply of an MTU that is too large: MTU 2044" eventually settled file_is 2044 $NET/ib0/mtu
# The dispatcher's helper cannot distinguish a reapply from a `device modify`, so it does not know the wanted MTU.
! has plugin || expect_journal 'nm-ib: .*ib0: MTU 4000 was requested, 2044 is in effect'
expect_tso ib0 off
expect_profile_kept x
expect_state ib0 connected
expect_nm_alive
must ethtool -K ib0 tso on
modify x ipv4.addresses 192.0.2.10/24
check "reapply of another address, TSO switched on by hand: succeeds" nmcli device reapply ib0
expect_tso ib0 off
# An edit of the stored profile that is not applied, and that a reapply cannot apply.
modify x ethtool.feature-tso on
check "device modify, TSO edited in the stored profile: succeeds" nmcli device modify ib0 +ipv4.addresses 192.0.2.11/24
settle
must ethtool -K ib0 tso on
check "device modify, TSO edited and switched on by hand: succeeds" nmcli device modify ib0 +ipv4.addresses 192.0.2.12/24
if has plugin; then
    expect_tso ib0 off
    expect_no_journal 'nm-ib: .*requests tx-tcp-segmentation explicitly'
fi
