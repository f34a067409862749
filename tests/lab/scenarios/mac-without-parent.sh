# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a P_Key profile with a mac-address and no parent never brings up the parent's partition
# with: plugin+dispatcher (plugin)
# releases: bookworm (trixie)
# alone: up exits 0, on the parent, with the parent's P_Key
. ./lib.sh
fabric
nm_start
profile c transport-mode datagram infiniband.p-key 0x8002 infiniband.mac-address "$(cat $NET/ib0/address)" \
    ipv4.method manual ipv4.addresses 192.0.2.1/24
journal_mark
up c >/dev/null 2>&1
check "it is not active on ib0" eventually eval "is \"\$(nmcli -g GENERAL.CONNECTION device show ib0)\" ''"
check "its address is nowhere" never 2 eval "ip -br address | grep -q 192.0.2.1"
expect_journal "nm-ib: .*ib0: profile 'c' is for P_Key 0x8002, and ib0 is the interface of P_Key 0xffff"
expect_nm_alive
