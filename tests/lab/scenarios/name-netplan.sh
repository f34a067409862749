# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: set-name and mtu of netplan override the name that nm-ib gave: check reports what to remove from the YAML
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric qpn_base=0x100
address=$(cat $NET/ib0/address)
name_port ib0 mlx4_ib0
yaml() {
    printf 'network:\n  version: 2\n  renderer: NetworkManager\n  ethernets:\n    stor:\n      infiniband-mode: datagram\n'
    printf '      %s\n' "match: {macaddress: '$address'}" "$@"
} >/etc/netplan/ib.yaml
generate() {
    chmod 600 /etc/netplan/ib.yaml
    netplan generate && udevadm control --reload
}
again() { fabric_unload && fabric qpn_base=0x100; }
# other_name: the port of mlx4_ib0 exists, and has another name
other_name() {
    local file
    file=$(grep -ls '00:02:c9:03:00:0a:00:01$' $NET/*/address)
    echo "'$file'"
    [ -n "$file" ] && is "$(wc -l <<<"$file")" 1 && [ "$file" != $NET/mlx4_ib0/address ]
}
# beats FILE LINE...: netplan's file names the port, and name check reports this before and after the next event
beats() {
    local file=$1
    shift
    yaml "$@"
    check "$*: netplan writes $file" eval "generate && ls $file"
    check "$*: name check reports the file and what to remove" prints -s 1 -E "will not be called mlx4_ib0: $file.* is netplan.s, and overrides the .link file. Take set-name and mtu .* out of /etc/netplan" nm-ib name check
    again
    check "$*: the port does not get the name" other_name
    yaml
    check "$* removed: netplan generates its files" eval 'generate && udevadm control --reload'
    again
    expect_name mlx4_ib0 0002:c903:000a:0001
    check "$* removed: name check finds that the name holds" nm-ib name check
}
beats /run/udev/rules.d/99-netplan-stor.rules 'set-name: stor0'
beats /run/systemd/network/10-netplan-stor.link 'mtu: 2044'
