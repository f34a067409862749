# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: plan says what cannot be; plan and apply leave alone what others decided
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
