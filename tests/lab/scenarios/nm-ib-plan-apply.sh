# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: plan reports what is impossible; plan and apply leave unchanged what others decided
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
plan_says_none() { plan_says "$1" 'change   none'; }

# a P_Key that the port's table lacks
child far ib0 0x8099
must nmcli -w 0 connection up far
check "plan, P_Key missing in the table: membership absent, no carrier" plan_shows far 'ib0.8099 datagram 4092 0x8099 absent no off far'
check "plan --json, P_Key missing in the table: membership absent, no carrier" plan_json far '"p_key":"0x8099","membership":"absent","carrier":false,'
must nmcli connection down far

# activations that NetworkManager itself fails
must ip link add name ib1.8002 link ib1 type ipoib pkey 0x8002
child modeless ib1 0x8002
check "plan, interface without a mode file: refused" plan_says modeless "refused  no 'mode' file"
check "connection up, interface without a mode file: fails" ends 4 nmcli connection up modeless
must ip link delete ib1.8002

# the mac-address of another port
must nmcli connection add type infiniband con-name guid autoconnect no mac "$(cat $NET/ib1/address)"
check "connection add, child of ib0, profile with the mac-address of ib1: warns that no profile activates the parent ib0" prints -2 'no profile activates the parent ib0' nm-ib connection add type infiniband con-name k autoconnect no parent ib0 p-key 0x8002
must nmcli connection add type infiniband con-name other autoconnect no ifname ib0 mac "$(cat $NET/ib1/address)"
check "plan, interface and mac-address of different ports: refused" plan_says other "refused  profile 'other' has the mac-address of another port"
check "connection up, interface and mac-address of different ports: fails" ends 4 nmcli connection up other

# an automatic MTU of an active profile is not the plan's decision
printf '[connection-ib]\nmatch-device=type:infiniband\ninfiniband.mtu=1700\n' >/etc/NetworkManager/conf.d/90-mtu.conf
nm_restart
profile automatic ifname ib0 transport-mode datagram
expect_up automatic
expect_mtu ib0 1700
check "plan ib0, MTU from NetworkManager.conf: no change" plan_says_none ib0
check "plan automatic, MTU from NetworkManager.conf: no change" plan_says_none automatic
check "apply ib0, MTU from NetworkManager.conf: prints nothing" prints_only '' nm-ib apply ib0
check "apply ib0, MTU from NetworkManager.conf: MTU stays 1700" settled file_is 1700 $NET/ib0/mtu
check "connection modify, P_Key of an active profile: succeeds" nm-ib connection modify automatic infiniband.p-key 0x8003
check "plan ib0, profile changed since its activation: a note" plan_says ib0 "note     profile 'automatic' was changed since it was activated here"
check "plan automatic, profile changed since its activation: planned as not active" plan_says automatic 'automatic (not active)'
expect_down automatic
must nmcli connection add type infiniband con-name any autoconnect no ifname '*' transport-mode datagram ipv4.method disabled ipv6.method disabled
must nmcli connection up any ifname ib0
check "plan, profile for any port: planned on the port where it is active" plan_shows any 'ib0 datagram 1700 0xffff full yes off any'
expect_down any

# an interface that is up without NetworkManager
ip link set ib1 up
ip address add 192.0.2.5/24 dev ib1
expect_state ib1 'connected (externally)'
ip link set ib1 down
echo connected >$NET/ib1/mode
ip link set ib1 mtu 9000
ip link set ib1 up
check "plan, interface up without NetworkManager: mode and MTU unchanged" prints_no -E 'change +(transport|MTU)' nm-ib plan ib1
check "apply, interface up without NetworkManager: succeeds" nm-ib apply ib1
expect_mode ib1 connected
expect_mtu ib1 9000

must systemctl stop NetworkManager
check "plan of a profile without NetworkManager: reports that NetworkManager has to run" prints -s 8 -2 "NetworkManager is not running" nm-ib plan automatic
check "plan of an interface without NetworkManager: notes that no profile counts as active" prints -2 -x "nm-ib: NetworkManager cannot be reached: no profile counts as active" nm-ib plan ib1
check "plan of a profile without NetworkManager: exit 8" refused_with 8 'NetworkManager is not running' nm-ib plan automatic
must systemctl start NetworkManager
