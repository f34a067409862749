# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a profile with only a mac-address comes up on a P_Key child: journal and plan report this
# with: plugin+dispatcher+cli dispatcher+cli
# releases: bookworm (trixie)
# alone: up on the child, nothing is logged
. ./lib.sh
fabric
nm_start
child c ib0 0x8002 transport-mode datagram
profile m infiniband.mac-address "$(cat $NET/ib0/address)" transport-mode datagram
expect_up c
words="ib0.8002: profile 'm' names neither an interface nor a P_Key, and ib0.8002 is the interface of P_Key 0x8002"
journal_mark
check "profile with only a mac-address: comes up on the child" nmcli -w 120 connection up m ifname ib0.8002
expect_journal_once "nm-ib: .*$words"
for word in m ib0.8002; do
    check "plan $word: reports that the profile names no P_Key" prints "${words#*: }" nm-ib plan $word
done
expect_down m
journal_mark
check "profile with only a mac-address: comes up on the port" nmcli -w 120 connection up m ifname ib0
check "profile with only a mac-address, on the port: nothing is logged" _never_said "names neither an interface"
expect_nm_alive
