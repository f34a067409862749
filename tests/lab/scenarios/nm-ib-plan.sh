# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: plan shows what is, and forecasts what comes true
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric active_mtu=4096 group_mtu=2048
nm_start
plan_says() { nm-ib plan "$1" | grep -F -- "$2"; }
plan_shows() { nm-ib plan ${1:+"$1"} | sed 's/  */ /g' | grep -Fx -- "$2"; } # a line, however wide the columns
plan_json() { nm-ib plan "$1" --json | grep -F -- "$2"; }

# what is made is forecast as it will be made, not as its parent is
child c ib0 0x8002 transport-mode datagram mtu 4092
check "the offloads of a child that is not there yet are forecast" plan_shows c \
    ' change TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)'
check "its MTU is not its parent's" plan_shows c " change MTU will be 4092, or what the subnet allows (profile 'c')"
check "what is not there yet has no state" plan_shows c 'ib0.8002 -- -- -- -- -- c (not active)'
check "  what is asked" plan_shows c ' asked datagram 4092 0x8002 -- --'
check "  what it will be" plan_shows c ' will be datagram <=4092 0x8002 full -- off'
check "  as a JSON reader sees" plan_json c '"active":false,"now":{"mode":null,"mtu":null,"p_key":null,"membership":null,"carrier":null,"tso":null},"asked":{"mode":"datagram","mtu":4092,"p_key":"0x8002",'
check "an interface without a profile, and what its quirk does" plan_shows ib0 ' will be datagram 2044 0xffff full -- off'
check "  in JSON" plan_json ib0 '"profile":null,"uuid":null,"active":false,"now":{"mode":"datagram","mtu":2044,"p_key":"0xffff","membership":"full","carrier":'
expect_up c
check "an active profile's interface is a line" plan_shows '' 'ib0.8002 datagram 2044 0x8002 full yes off c'
check "  asked by its name, all of it" plan_shows c ' asked datagram 4092 0x8002 -- --'
check "  in JSON" plan_json c '"active":true,"now":{"mode":"datagram","mtu":2044,"p_key":"0x8002","membership":"full","carrier":true,"tso":false},"asked":{"mode":"datagram","mtu":4092,'
check "  also who is not root sees it" eval "runuser -u nobody -- nm-ib plan | grep -E '^ib0.8002 .* yes +off +c$'"
expect_down c
expect_no_link ib0.8002
child own ib0 0xffff
check "a key that the parent has is refused" plan_says own 'refused  P_Key 0xffff is that of ib0 already'
check "  as a JSON reader sees" eval "nm-ib plan own --json | grep -F '\"refusal\":{\"id\":\"pkey-taken\",\"severity\":\"error\"'"
check "  --strict does not save it" not nm-ib connection add type infiniband con-name x parent ib0 p-key 0xffff --strict
check "  NetworkManager says so too, less clearly" not nmcli connection up own
must ip link add name other0 link ib0 type ipoib pkey 0x8004
child beside ib0 0x8004
check "that of a child made over rtnetlink is not" not plan_says beside refused
expect_up beside
expect_down beside
must ip link delete other0
echo 0x8005 >$NET/ib0/create_child
must ip link set ib0.8005 name renamed0
child again ib0 0x8005
check "that of a child with another name is" plan_says again 'refused  P_Key 0x8005 is that of renamed0 already'
check "  and so it is" not nmcli connection up again
child limited ib0 0x0005
check "one without bit 15 is not" not plan_says limited refused
expect_up limited
expect_down limited
echo 0x8005 >$NET/ib0/delete_child
