# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: profiles from nmcli, with DHCP: a port, its children and a bond have address and MTU; a mode change takes the port down first
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself; the scenario guards that nm-ib does not interfere
# files: dhcp.py
# Like NetworkManager-ci's features/scenarios/infiniband.feature; autoconnect-at-boot has the reboot.
. ./lib.sh
add() { must nmcli connection add type infiniband autoconnect no con-name "$@"; }
add_child() { add "$1" ifname ib0.8002 infiniband.parent ib0 infiniband.p-key 0x8002 "${@:2}"; }
forget() { must nmcli connection delete "$@"; }
own_addresses() { ip -4 address show dev ib0.8002 | grep -c 'inet 203.0.113'; }
answers() { must nmcli --ask connection add < <(printf '%s\n' "$@"); }

fabric active_mtu=4096 group_mtu=4096
dhcp_side
nm_start

note "a port: inf_create_connection, inf_disable_connection"
add inf ifname ib0
expect_up inf
expect_address ib0 192.0.2.77
expect_down inf
expect_no_address ib0 192.0.2.77
forget inf
note "from questions and answers: inf_create_connection_novice_mode"
answers infiniband ib0 no no no no
expect_up infiniband
expect_address ib0 192.0.2.77
forget infiniband

note "a child: inf_create_port_connection, inf_send_correct_client_id (16 addresses of its own), inf_disable_port"
many=$(printf '203.0.113.%d/24,' {1..16})
add inf ifname ib0
add_child inf.8002 ipv4.addresses "${many%,}"
expect_up inf
expect_up inf.8002
expect_pkey ib0.8002 0x8002
expect_address ib0.8002 198.51.100.77
check "ib0.8002: has the 16 addresses of its profile" eventually_is 16 own_addresses
address=$(cat $NET/ib0.8002/address)
port=${address: -23}
check "ib0.8002: the DHCP client id is type 32 with the port's GUID" grep -x "kid REQUEST 20${port//:/}" /run/dhcp
expect_down inf.8002
expect_no_link ib0.8002
expect_address ib0 192.0.2.77
forget inf.8002
note "a child from questions and answers: inf_create_port_novice_mode"
answers infiniband ib0.8002 yes '' '' datagram 0x8002 ib0 no no no no
expect_up inf
expect_up infiniband
expect_address ib0.8002 198.51.100.77
forget infiniband
expect_no_link ib0.8002

note "a keyfile with a decimal P_Key: inf_keyfile_pkey_via_single_digit"
cat >"$(_file decimal)" <<'END'
[connection]
id=decimal
type=infiniband
interface-name=ib0.8002
autoconnect=false

[infiniband]
p-key=32770
parent=ib0
transport-mode=datagram

[ipv4]
method=auto
may-fail=false
END
must chmod 600 "$(_file decimal)"
must nmcli connection reload
expect_up decimal
expect_pkey ib0.8002 0x8002
expect_address ib0.8002 198.51.100.77
forget decimal

note "two profiles with an MTU each: inf_mtu"
add_child small infiniband.mtu 2042
add_child large infiniband.mtu 4092
expect_up small
expect_mtu ib0.8002 2042
expect_up large
expect_mtu ib0.8002 4092
expect_address ib0.8002 198.51.100.77

note "a P_Key without the bit of full membership: inf_reload"
add limited ifname ib0.0004 infiniband.parent ib0 infiniband.p-key 4
must nmcli connection reload
check "profile with P_Key 4: exists after a reload" prints -x limited nmcli -g NAME connection show
forget inf small large limited

# a bond, also after a restart of the daemon
expect_bond() {
    expect_state bond0 connected
    expect_state ib0 connected
    check "bond0: is up" eventually file_is up $NET/bond0/operstate
    check "bond0: ib0 is the active port" eventually grep -x 'Currently Active Slave: ib0' /proc/net/bonding/bond0
    expect_address bond0 192.0.2.77
}
note "a bond with a port: inf_master_in_bond"
must nmcli connection add type infiniband con-name inf ifname ib0
must nmcli connection add type bond con-name bond0 ifname bond0 bond.options mode=active-backup
must nmcli connection modify inf connection.slave-type bond connection.master bond0
expect_up inf
expect_up bond0
expect_bond
note "a bond with a port, after a restart: inf_master_in_bond_restart_persistence"
nm_restart
expect_bond
forget inf bond0

note "a profile with another mode on an interface that is up: inf_down_before_mode_change"
# taken_down_for LINK BEFORE NOW: in the journal, the link goes down, and the next line is NetworkManager's change of the mode
taken_down_for() {
    _said "\($1\): taking down device|setting '.*/$1/mode' to" | tee /run/said
    grep -A1 'taking down device' /run/said | grep -q "to '$3' (current value is '$2')"
}
expect_no_journal 'not possible|was requested'
profile datagram ifname ib0 transport-mode datagram
profile connected ifname ib0 transport-mode connected
expect_up datagram
must nmcli general logging level DEBUG domains ALL
before=datagram
for mode in connected datagram; do
    journal_mark
    expect_up $mode
    expect_mode ib0 $mode
    check "ib0: taken down before its mode changes to $mode" eventually taken_down_for ib0 $before $mode
    before=$mode
done
expect_nm_alive
expect_clean_kernel_log
