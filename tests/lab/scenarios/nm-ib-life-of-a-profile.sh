# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the whole life of a profile, with nm-ib only
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
nm_start
same() { is "$(answer nm-ib "$@")" "$(answer nmcli "$@")"; }
answer() {
    local code=0
    "$@" 2>&1 || code=$?
    echo "exit status $code"
}
# warns TEXT COMMAND...: TEXT in its errors; whether it saves the profile depends on NetworkManager's release
warns() {
    local code=0 err
    err=$("${@:2}" 2>&1 >/dev/null) || code=$?
    echo "exit status $code: $err"
    ((code < 126)) && grep -qF -- "$1" <<<"$err"
}

check "connection add: succeeds" nm-ib connection add type infiniband con-name ib0 ifname ib0 autoconnect no \
    transport-mode connected mtu 65520 ipv4.method manual ipv4.addresses 192.0.2.1/24,192.0.2.2/32 ipv4.gateway 192.0.2.254 \
    ipv4.routes '198.51.100.0/24 192.0.2.9 7 mtu=1400' ipv4.dns 192.0.2.53 ipv4.dns-search a.example,b.example ipv6.method link-local
check "connection up: succeeds" nm-ib -w 120 connection up ib0
expect_mode ib0 connected
expect_mtu ib0 65520
for options in '' -t -p '-m tabular' '-g infiniband' '-f GENERAL,infiniband' '-p -f IP4,IP6' '-f active -m tabular'; do
    # shellcheck disable=SC2086
    check "connection show $options, active profile: output of nmcli" same $options connection show ib0
done
check "plan, active profile: no change" prints -E "change +none" nm-ib plan ib0
check "plan --json, active profile: names interface and profile" prints '"interface":"ib0","exists":true,"profile":"ib0"' nm-ib plan ib0 --json
check "connection modify, name that is not ASCII: succeeds" nm-ib connection modify ib0 connection.id ä
check "plan --json with LC_ALL=C: UTF-8" prints '"profile":"ä"' env LC_ALL=C nm-ib plan ib0 --json
check "connection show with LC_ALL=C: ? for the character that is not ASCII" prints -x '?' env LC_ALL=C nm-ib -g connection.id connection show ä
check "connection modify, name in ASCII again: succeeds" nm-ib connection modify ä connection.id ib0
echo datagram >"$NET"/ib0/mode
check "plan, mode changed by hand: the mode will be connected" prints -E "change +transport mode will be connected" nm-ib plan ib0
check "apply, mode changed by hand: succeeds" nm-ib apply ib0
expect_mode ib0 connected
expect_mtu ib0 65520
check "connection down: succeeds" nm-ib connection down ib0
check "connection add, profile that waits for DHCP: succeeds" nm-ib connection add type infiniband con-name waits ifname ib1 autoconnect no \
    ipv4.dhcp-timeout infinity ipv6.method disabled
must nm-ib -w 0 connection up waits
check "plan, profile that waits for DHCP: shown on its interface" prints -E '^ib1 .* waits$' nm-ib plan ib1
check "profile that waits for DHCP: still activating after plan" is "$(nmcli -g GENERAL.STATE connection show waits)" activating
check "connection delete, profile that waits for DHCP: succeeds" nm-ib connection delete waits

check "connection modify, P_Key for a finished profile: reports the new interface-name" prints -2 "interface-name set to ib0.8002" nm-ib connection modify ib0 infiniband.p-key 0x8002
check "connection add, P_Key missing in the table: warns" prints -2 "P_Key 0x8099 is not in the P_Key table" \
    nm-ib connection add type infiniband con-name k autoconnect no parent ib0 p-key 0x8099 ipv4.method disabled ipv6.method disabled
check "connection add --strict, P_Key missing in the table: fails" ends 1 nm-ib connection add type infiniband con-name s parent ib0 p-key 0x8099 --strict
check "connection add --strict, P_Key missing in the table: saves no profile" refused_with 10 'no such connection profile' nm-ib connection show s
check "completion: P_Keys of the port" prints -x 0x8002 nm-ib --complete-args connection add type infiniband parent ib0 p-key 0x80
check "completion: InfiniBand interfaces" prints -x ib0 nm-ib --complete-args connection add type infiniband parent ib
check "connection up, partition: succeeds" nm-ib -w 120 connection up ib0
expect_pkey ib0.8002 0x8002
check "connection down, partition: succeeds" nm-ib connection down ib0
expect_no_link ib0.8002
check "connection modify, another P_Key: reports the new interface-name" prints -2 "interface-name set to ib0.8001" nm-ib connection modify ib0 infiniband.p-key 0x8001
check "connection modify, decimal P_Key: reports the key in hexadecimal" warns "p-key 8002 is decimal, P_Key 0x1f42" nm-ib connection modify ib0 infiniband.p-key 8002
if ! nmcli --version | grep -qF " 1.42."; then # nmcli 1.42 refuses this name
    check "connection modify, interface-name that does not fit the P_Key: warns" warns "interface-name x does not match P_Key 0x8001: NetworkManager uses ib0.8001 instead" \
        nm-ib connection modify ib0 infiniband.p-key 0x8001 connection.interface-name x
    check "connection modify, interface-name that does not fit the P_Key: NetworkManager replaces it" is "$(nmcli -g connection.interface-name connection show ib0)" ib0.8001
fi
check "connection delete: succeeds" nm-ib connection delete ib0
check "connection delete: the profile is gone" refused_with 10 'no such connection profile' nm-ib connection show ib0
expect_nm_alive
