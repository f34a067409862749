# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: plan shows what is, and forecasts what comes true; plan and apply leave alone what others decided
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric active_mtu=4096 group_mtu=2048
nm_start
plan_says() { nm-ib plan "$1" | grep -F -- "$2"; }
plan_shows() { nm-ib plan ${1:+"$1"} | sed 's/  */ /g' | grep -Fx -- "$2"; } # a line, however wide the columns
plan_json() { nm-ib plan "$1" --json | grep -F -- "$2"; }
settled() { plan_says "$1" 'change   none'; }
apply_leaves() { is "$(nm-ib apply "$1" 2>/dev/null)" '' && expect_mtu "$1" "$2"; }

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

# a key that the port has not
child far ib0 0x8099
must nmcli -w 0 connection up far
check "an interface without a carrier, and why" plan_shows far 'ib0.8099 datagram 4092 0x8099 absent no off far'
check "  in JSON" plan_json far '"p_key":"0x8099","membership":"absent","carrier":false,'
must nmcli connection down far

# what NetworkManager fails at itself
must ip link add name ib1.8002 link ib1 type ipoib pkey 0x8002
child modeless ib1 0x8002
check "an interface without a mode file is refused" plan_says modeless "refused  it has no 'mode' file"
check "  and so it is" not nmcli connection up modeless
must ip link delete ib1.8002

# the address of another port
must nmcli connection add type infiniband con-name guid autoconnect no mac "$(cat $NET/ib1/address)"
check "a profile with the address of another port brings up no parent" eval \
    "nm-ib connection add type infiniband con-name k autoconnect no parent ib0 p-key 0x8002 2>&1 | grep -F 'no profile brings up ib0'"
must nmcli connection add type infiniband con-name other autoconnect no ifname ib0 mac "$(cat $NET/ib1/address)"
check "a mac-address of another port than the name's is refused" plan_says other "refused  profile 'other' has the mac-address of another port"
check "  and so it is" not nmcli connection up other

# automatic is not the plan's to decide once it is up
printf '[connection-ib]\nmatch-device=type:infiniband\ninfiniband.mtu=1700\n' >/etc/NetworkManager/conf.d/90-mtu.conf
nm_restart
profile automatic ifname ib0 transport-mode datagram
expect_up automatic
expect_mtu ib0 1700
check "an MTU from NetworkManager.conf is settled" settled ib0
check "  also asked by the profile's name" settled automatic
check "  and apply leaves it" apply_leaves ib0 1700
check "the P_Key of an active profile is changed" nm-ib connection modify automatic infiniband.p-key 0x8003
check "  the interface it is active on is not refused for that" plan_says ib0 "note     profile 'automatic' was changed since it was activated here"
check "  the profile is planned where it is for now" plan_says automatic 'automatic (not active)'
expect_down automatic
must nmcli connection add type infiniband con-name any autoconnect no ifname '*' transport-mode datagram ipv4.method disabled ipv6.method disabled
must nmcli connection up any ifname ib0
check "a profile for any port is planned where it is active" plan_shows any 'ib0 datagram 1700 0xffff full yes off any'
expect_down any

# what others brought up
ip link set ib1 up
ip address add 192.0.2.5/24 dev ib1
expect_state ib1 'connected (externally)'
ip link set ib1 down
echo connected >$NET/ib1/mode
ip link set ib1 mtu 9000
ip link set ib1 up
check "mode and MTU of an interface that others brought up are theirs" not eval "nm-ib plan ib1 | grep -E 'change +(transport|MTU)'"
check "  and apply leaves them" nm-ib apply ib1
expect_mode ib1 connected
expect_mtu ib1 9000

must systemctl stop NetworkManager
check "where no NetworkManager runs that is said" eval 'nm-ib plan automatic 2>&1 | grep -F "NetworkManager has to run"'
check "  and that no profile counts" eval 'nm-ib plan ib1 2>&1 | grep -Fx "nm-ib: note: NetworkManager cannot be asked: no profile counts as active"'
check "  with its code" eval 'nm-ib plan automatic 2>/dev/null; is $? 8'
must systemctl start NetworkManager
