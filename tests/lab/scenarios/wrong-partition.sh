# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a P_Key profile with a mac-address and no parent: logged, and no link goes down more often than with NetworkManager alone
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: it comes up on the port, in the port's partition, nothing is logged
. ./lib.sh
fabric
nm_start
child c ib0 0x8002 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.100.1/24
expect_up c
expect_carrier ib0.8002 1
before=$(cat $NET/ib0.8002/carrier_down_count)
journal_mark
must nmcli connection add type infiniband con-name w ifname '*' autoconnect yes connection.autoconnect-retries 4 transport-mode datagram \
    infiniband.p-key 0x8003 infiniband.mac-address "$(cat $NET/ib0/address)" ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
check "profile 'w': active on ib0" eventually_is w nmcli -g GENERAL.CONNECTION device show ib0
expect_journal "nm-ib: .*ib0: profile 'w' is for P_Key 0x8003, and ib0 is the interface of P_Key 0xffff"
sleep 12 # longer than NetworkManager waits for a carrier
journalctl --sync
check "profile 'w': one activation was tried" is "$(journalctl -b -o cat -u NetworkManager | grep -c "starting connection 'w'")" 1
check "ib0.8002, in use: lost its carrier once, as with NetworkManager alone" is $(($(cat $NET/ib0.8002/carrier_down_count) - before)) 1
expect_state ib0.8002 connected
expect_nm_alive
