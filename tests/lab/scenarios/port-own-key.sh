# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a profile with a mac-address and the port's own P_Key (index 0 of the table) comes up on the port
# with: plugin+dispatcher+cli plugin dispatcher none
# releases: bookworm (trixie)
# alone: passes: NetworkManager alone is the model
. ./lib.sh
fabric pkeys=0x8001,0x8002
nm_start
must nmcli connection add type infiniband con-name own autoconnect no transport-mode datagram infiniband.p-key 0x8001 \
    infiniband.mac-address "$(cat $NET/ib0/address)" ipv4.method manual ipv4.addresses 192.0.2.1/24 ipv6.method disabled
journal_mark
expect_up own
expect_pkey ib0 0x8001
expect_address ib0 192.0.2.1
expect_no_journal "wrong partition"
! has cli || check "plan, port's own P_Key: no error and no warning" prints_no -E 'error|warning' nm-ib plan own
expect_nm_alive
