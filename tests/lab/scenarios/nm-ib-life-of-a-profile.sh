# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the whole life of a profile, typed with nm-ib alone
# with: plugin+dispatcher+cli
# releases: bookworm trixie
. ./lib.sh
fabric
nm_start
same() { is "$(nm-ib "$@" 2>&1)" "$(nmcli "$@" 2>&1)"; }
says() { local want=$1; shift; "$@" 2>&1 >/dev/null | grep -E -- "$want"; }

check "a profile is added" nm-ib connection add type infiniband con-name ib0 ifname ib0 autoconnect no \
    transport-mode connected mtu 65520 ipv4.method manual ipv4.addresses 192.0.2.1/24,192.0.2.2/32 ipv4.gateway 192.0.2.254 \
    ipv4.routes '198.51.100.0/24 192.0.2.9 7 mtu=1400' ipv4.dns 192.0.2.53 ipv4.dns-search a.example,b.example ipv6.method link-local
check "it comes up" nm-ib -w 120 connection up ib0
expect_mode ib0 connected
expect_mtu ib0 65520
for options in '' -t -p '-m tabular' '-g infiniband' '-f GENERAL,infiniband' '-p -f IP4,IP6' '-f active -m tabular'; do
    # shellcheck disable=SC2086
    check "show $options of the active profile, as nmcli" same $options connection show ib0
done
check "plan finds nothing to do" eval 'nm-ib plan ib0 | grep -E "change +none"'
check "plan as JSON" eval "nm-ib plan ib0 --json | grep -F '\"interface\":\"ib0\",\"exists\":true,\"profile\":\"ib0\"'"
check "it gets a name that is not ASCII" nm-ib connection modify ib0 connection.id ä
check "  JSON is UTF-8 in each locale" eval "LC_ALL=C nm-ib plan ib0 --json | grep -F '\"profile\":\"ä\"'"
check "  what is printed is not" eval "LC_ALL=C nm-ib -g connection.id connection show ä | grep -Fx '?'"
check "  and the name it had" nm-ib connection modify ä connection.id ib0
echo datagram >"$NET"/ib0/mode
check "plan sees a mode that was changed from outside" eval 'nm-ib plan ib0 | grep -E "change +transport mode will be connected"'
check "apply puts it right" nm-ib apply ib0
expect_mode ib0 connected
expect_mtu ib0 65520
check "it goes down" nm-ib connection down ib0
check "one is on its way, and nobody answers its DHCP" nm-ib connection add type infiniband con-name waits ifname ib1 autoconnect no \
    ipv4.dhcp-timeout infinity ipv6.method disabled
must nm-ib -w 0 connection up waits
check "  plan knows it" eval "nm-ib plan ib1 | grep '^ib1 .* waits$'"
check "  and it still is" is "$(nmcli -g GENERAL.STATE connection show waits)" activating
check "it is deleted on its way" nm-ib connection delete waits

check "a finished profile becomes a partition's" says "interface-name set to ib0.8002" nm-ib connection modify ib0 infiniband.p-key 0x8002
check "a key that the port has not is told" says "P_Key 0x8099 is not in the P_Key table" \
    nm-ib connection add type infiniband con-name k autoconnect no parent ib0 p-key 0x8099 ipv4.method disabled ipv6.method disabled
check "--strict saves nothing" not nm-ib connection add type infiniband con-name s parent ib0 p-key 0x8099 --strict
check "  nothing at all" not nm-ib connection show s
check "completion knows the keys of the port" eval "nm-ib --complete-args connection add type infiniband parent ib0 p-key 0x80 | grep -x 0x8002"
check "completion knows the interfaces" eval "nm-ib --complete-args connection add type infiniband parent ib | grep -x ib0"
check "the partition comes up" nm-ib -w 120 connection up ib0
expect_pkey ib0.8002 0x8002
check "it goes down" nm-ib connection down ib0
expect_no_link ib0.8002
check "its name follows a later key" says "interface-name set to ib0.8001" nm-ib connection modify ib0 infiniband.p-key 0x8001
check "  and what the key becomes is told" says "p-key 8002 is decimal, the key is 0x1f42" nm-ib connection modify ib0 infiniband.p-key 8002
if ! nmcli --version | grep -qF " 1.42."; then # which refuses it
    check "  and a name that does not fit" says "interface-name x does not fit P_Key 0x8001: NetworkManager makes it ib0.8001" \
        nm-ib connection modify ib0 infiniband.p-key 0x8001 connection.interface-name x
    check "  which NetworkManager replaces" is "$(nmcli -g connection.interface-name connection show ib0)" ib0.8001
fi
check "it is deleted" nm-ib connection delete ib0
check "  and gone" not nm-ib connection show ib0
expect_nm_alive
