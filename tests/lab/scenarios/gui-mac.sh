# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a profile with only a mac-address, as nm-connection-editor writes it, gets a P_Key and comes up on the partition
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
# alone: nmcli accepts the P_Key, and the profile never brings up the partition
. ./lib.sh
fabric
nm_start
# gui NAME UUID MAC: a keyfile as nm-connection-editor writes it
gui() {
    install -m 600 /dev/stdin "$(_file "$1")" <<END
[connection]
id=$1
uuid=$2
type=infiniband
autoconnect=false

[infiniband]
mac-address=$3
transport-mode=datagram

[ipv4]
method=disabled

[ipv6]
addr-gen-mode=default
method=disabled

[proxy]
END
    must nmcli connection load "$(_file "$1")"
}
value() { nmcli -g "$1" connection show "$2"; }
mac=$(cat $NET/ib0/address)
gui gui-m 4e7cbb2e-7a1c-4a34-9d0c-6a1f0a3b1e11 "${mac^^}"
gui gui-n 4e7cbb2e-7a1c-4a34-9d0c-6a1f0a3b1e12 80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:e1:b1 # of another machine

check "profile with the mac-address of a port: modify sets the P_Key" eval 'nm-ib connection modify gui-m infiniband.p-key 0x8003 2>/run/said'
sed "s/^/# /" /run/said
check "profile with the mac-address of a port: parent set to the port with this address" is "$(value infiniband.parent gui-m)" ib0
check "profile with the mac-address of a port: interface-name set to the child" is "$(value connection.interface-name gui-m)" ib0.8003
check "profile with the mac-address of a port: modify reports the parent" grep -F "nm-ib: 'gui-m': infiniband.parent set to ib0" /run/said
check "profile with the mac-address of a port: modify prints one warning" is "$(grep -c '^nm-ib: warning:' /run/said)" 1
check "profile with the mac-address of a port: warns that no profile brings up the port" grep -F "no profile activates the parent ib0" /run/said

check "profile with an unknown mac-address: modify sets the P_Key" eval 'nm-ib connection modify gui-n infiniband.p-key 0x8003 2>/run/said'
sed "s/^/# /" /run/said
check "profile with an unknown mac-address: no parent is set" is "$(value infiniband.parent gui-n)" ""
check "profile with an unknown mac-address: modify prints one warning" is "$(grep -c '^nm-ib: warning:' /run/said)" 1

must nm-ib connection add type infiniband con-name port ifname ib0 autoconnect no ipv4.method disabled ipv6.method disabled
expect_up port
expect_up gui-m
expect_pkey ib0.8003 0x8003
check "profile with the mac-address of a port: active on the partition" is "$(value GENERAL.DEVICES gui-m)" ib0.8003
expect_nm_alive
