# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: plan shows the current state, and its forecast is right
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric active_mtu=4096 group_mtu=2048
nm_start
plan_says() { prints "$2" nm-ib plan "$1"; }
plan_shows() { prints -x "$2" plan_with_single_spaces ${1:+"$1"}; } # one line of the table
plan_with_single_spaces() {
    local text
    text=$(nm-ib plan "$@") || return
    tr -s ' ' <<<"$text"
}
plan_json() { prints "$2" nm-ib plan "$1" --json; }

# a new child is forecast with its own values, not with those of its parent
child c ib0 0x8002 transport-mode datagram mtu 4092
check "plan, child that does not exist: forecasts its TSO" plan_shows c \
    ' change TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)'
check "plan, child that does not exist: its MTU is not the parent's" plan_shows c " change MTU will be 4092, or what the subnet allows (profile 'c')"
check "plan, child that does not exist: no current state" plan_shows c 'ib0.8002 -- -- -- -- -- c (not active)'
check "plan, child that does not exist: the row \"asked\"" plan_shows c ' asked datagram 4092 0x8002 -- --'
check "plan, child that does not exist: the row \"will be\"" plan_shows c ' will be datagram <=4092 0x8002 full -- off'
check "plan --json, child that does not exist: now is null, asked has the profile's values" plan_json c '"active":false,"now":{"mode":null,"mtu":null,"p_key":null,"membership":null,"carrier":null,"tso":null},"asked":{"mode":"datagram","mtu":4092,"p_key":"0x8002",'
check "plan, interface without a profile: the quirk switches TSO off" plan_shows ib0 ' will be datagram 2044 0xffff full -- off'
check "plan --json, interface without a profile: profile is null" plan_json ib0 '"profile":null,"uuid":null,"active":false,"now":{"mode":"datagram","mtu":2044,"p_key":"0xffff","membership":"full","carrier":'
expect_up c
check "plan, active profile: one row in the table" plan_shows '' 'ib0.8002 datagram 2044 0x8002 full yes off c'
check "plan, active profile by its name: the row \"asked\"" plan_shows c ' asked datagram 4092 0x8002 -- --'
check "plan --json, active profile by its name: now and asked" plan_json c '"active":true,"now":{"mode":"datagram","mtu":2044,"p_key":"0x8002","membership":"full","carrier":true,"tso":false},"asked":{"mode":"datagram","mtu":4092,'
check "plan as an unprivileged user: the row of the active profile" prints -E '^ib0.8002 .* yes +off +c$' runuser -u nobody -- nm-ib plan
expect_down c
expect_no_link ib0.8002
child own ib0 0xffff
check "plan, P_Key of the parent: refused" plan_says own 'refused  P_Key 0xffff is already the P_Key of ib0'
check "plan --json, P_Key of the parent: refusal pkey-taken" prints '"refusal":{"id":"pkey-taken","severity":"error"' nm-ib plan own --json
check "connection add --strict, P_Key of the parent: not saved" ends 1 nm-ib connection add type infiniband con-name x parent ib0 p-key 0xffff --strict
check "connection up, P_Key of the parent: fails" ends 4 nmcli connection up own
must ip link add name other0 link ib0 type ipoib pkey 0x8004
child beside ib0 0x8004
check "plan, P_Key of a child made over rtnetlink: not refused" prints_no refused nm-ib plan beside
expect_up beside
expect_down beside
must ip link delete other0
echo 0x8005 >$NET/ib0/create_child
must ip link set ib0.8005 name renamed0
child again ib0 0x8005
check "plan, P_Key of a legacy child with another name: refused" plan_says again 'refused  P_Key 0x8005 is already the P_Key of renamed0'
check "connection up, P_Key of a legacy child with another name: fails" ends 4 nmcli connection up again
child limited ib0 0x0005
check "plan, P_Key without bit 15: not refused" prints_no refused nm-ib plan limited
expect_up limited
expect_down limited
echo 0x8005 >$NET/ib0/delete_child
