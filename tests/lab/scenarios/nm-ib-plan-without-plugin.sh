# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: plan without the plugin: reports what NetworkManager fails, and what it accepts
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric name=mlx5_0,mlx4_0 enhanced=1,0
nm_start
plan_says() { prints "$2" nm-ib plan "$1"; }

profile c ifname ib0 transport-mode connected
check "plan, connected mode on enhanced IPoIB: refused" plan_says c "which is not possible: the device does not offer this mode"
check "plan --json, connected mode on enhanced IPoIB: refusal connected-impossible" prints '"refusal":{"id":"connected-impossible","severity":"error"' nm-ib plan c --json
expect_no_up c
check "connection add --strict, connected mode on enhanced IPoIB: not saved" ends 1 nm-ib connection add type infiniband con-name x ifname ib0 transport-mode connected --strict
mkdir -p /etc/nm-infiniband
printf '[main]\nconnected-impossible=fail\n' >/etc/nm-infiniband/nm-ib.conf
check "plan, connected-impossible=fail without the plugin: NetworkManager fails" plan_says c "without the device plugin NetworkManager cannot activate"
nm_stop
check "plan without NetworkManager: reports nothing about the plugin" prints_no -s 8 -2 "without the device plugin" nm-ib plan c
nm_start

profile m transport-mode datagram infiniband.p-key 0x8002 infiniband.mac-address "$(cat $NET/ib2/address)"
check "plan, P_Key profile on its parent: an error for the wrong partition" plan_says m "error    profile 'm' is for P_Key 0x8002"
check "plan, P_Key profile on its parent: not refused" prints_no refused nm-ib plan m
expect_up m
expect_pkey ib2 0xffff
