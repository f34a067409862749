# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: profiles from nmtui come up as they say: a port, a child made by hand, both modes, an MTU
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: NetworkManager does this by itself; the scenario guards that nm-ib does not interfere
# files: nmtui.py
# Like NetworkManager-ci's features/scenarios/nmtui_infiniband.feature, which checks the keyfiles; here the profiles come up, too.
. ./lib.sh
nmtui() { check "nmtui $*: succeeds" python3 ./nmtui.py "$@"; }
# expect_says PROFILE PROPERTY VALUE
expect_says() { check "profile '$1': $2 is $3" is "$(nmcli -g "$2" connection show "$1")" "$3"; }

fabric
dhcp_side
nm_start

note "nmtui_inf_create_master_connection, nmtui_inf_datagram_mode"
nmtui add port ib0
expect_says port connection.type infiniband
expect_says port connection.interface-name ib0
expect_says port connection.autoconnect yes
expect_says port infiniband.transport-mode datagram
expect_state ib0 connected
expect_mode ib0 datagram
expect_mtu ib0 2044
expect_address ib0 192.0.2.77

note "nmtui_inf_create_port_connection: nmtui asks for no P_Key, so somebody else made the child, and NetworkManager wants to be told to use it"
echo 0x8002 >$NET/ib0/create_child
nmtui add child ib0.8002
expect_says child infiniband.p-key default
expect_up child
expect_pkey ib0.8002 0x8002
expect_address ib0.8002 198.51.100.77

note "nmtui_inf_delete_connection"
nmtui delete port
check "nmtui delete: the profile is gone" eventually prints_no -x port nmcli -g NAME connection show
check "nmtui delete: the keyfile is gone" test ! -e "$(_file port)"
expect_state ib0 disconnected
expect_no_address ib0 192.0.2.77

note "nmtui_inf_add_connection_wo_autoconnect, nmtui_inf_set_mtu"
nmtui add small ib0 mtu=1280 by-hand
expect_says small connection.autoconnect no
expect_says small infiniband.mtu 1280
check "ib0: the profile without autoconnect does not come up" settled prints_only disconnected dev_state ib0
expect_up small
expect_mtu ib0 1280

note "nmtui_inf_connected_mode"
nmtui add connected ib0 connected by-hand
expect_says connected infiniband.transport-mode connected
expect_up connected
expect_mode ib0 connected
expect_mtu ib0 65520
expect_address ib0 192.0.2.77

expect_no_journal 'not possible|was requested'
expect_nm_alive
expect_clean_kernel_log
