# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: without the plugin plan says what NetworkManager will fail at, and what it will not refuse
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx5_0,mlx4_0 enhanced=1,0
nm_start
plan_says() { nm-ib plan "$1" | grep -F -- "$2"; }

profile c ifname ib0 transport-mode connected
check "connected mode that is not possible is refused" plan_says c "which is not possible: the device does not offer it"
check "  as a JSON reader sees" eval "nm-ib plan c --json | grep -F '\"refusal\":{\"id\":\"connected-fails\",\"severity\":\"error\"'"
expect_no_up c
check "  --strict does not save it" not nm-ib connection add type infiniband con-name x ifname ib0 transport-mode connected --strict
mkdir -p /etc/nm-infiniband
printf '[main]\nconnected-impossible=fail\n' >/etc/nm-infiniband/nm-ib.conf
check "so it is where it is to fail" plan_says c "without the device plugin NetworkManager fails"
nm_stop
check "without a daemon nobody knows" not plan_says c "without the device plugin"
nm_start

profile m transport-mode datagram infiniband.p-key 0x8002 infiniband.mac-address "$(cat $NET/ib2/address)"
check "a profile that takes its parent's place is told" plan_says m "error    profile 'm' is for P_Key 0x8002"
check "  and not refused" not plan_says m refused
expect_up m
expect_pkey ib2 0xffff
