# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: profiles from nmcli, with DHCP: a port and its children come up, go down, and have address and MTU
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself; the scenario guards that nm-ib does not interfere
# files: dhcp.py
# Like NetworkManager-ci's features/scenarios/infiniband.feature, without bond, restart, reboot and mode change.
. ./lib.sh
add() { must nmcli connection add type infiniband autoconnect no con-name "$@"; }
add_child() { add "$1" ifname ib0.8002 infiniband.parent ib0 infiniband.p-key 0x8002 "${@:2}"; }
forget() { must nmcli connection delete "$@"; }
answers() { printf '%s\n' "$@" | must nmcli --ask connection add; }

fabric active_mtu=4096 group_mtu=4096
peer ib1 datagram 192.0.2.2/24
peer_child ib1 0x8002 kid 198.51.100.2/24
serve_dhcp ib1 192.0.2.2 192.0.2.77
serve_dhcp kid 198.51.100.2 198.51.100.77
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
check "ib0.8002: has the 16 addresses of its profile" eventually eval "is \"\$(ip -4 address show dev ib0.8002 | grep -c 'inet 203.0.113')\" 16"
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
check "profile with P_Key 4: exists after a reload" eval "nmcli -g NAME connection show | grep -x limited"
expect_no_journal 'not possible|was requested'
expect_nm_alive
expect_clean_kernel_log
