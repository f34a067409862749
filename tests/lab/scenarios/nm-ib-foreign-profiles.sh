# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: profiles from Ansible's network role and nm-connection-editor are shown, modified and brought up
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
# foreign NAME UUID: a keyfile, the rest of it from standard input
foreign() {
    { printf '[connection]\nid=%s\nuuid=%s\nautoconnect=false\n' "$@"; cat; } | install -m 600 /dev/stdin "$(_file "$1")"
    must nmcli connection load "$(_file "$1")"
}
# modified NAME PROPERTY VALUE: only this property is changed; libnm completes a port of a bond
modified() {
    local before
    before=$(nmcli -t connection show "$1" | grep -vE "^($2|bond-port\..*):")
    nm-ib connection modify "$@" || return
    is "$(nmcli -t connection show "$1" | grep -vE "^($2|bond-port\..*):")" "$before" && is "$(nmcli -g "$2" connection show "$1")" "$3"
}

# the role: a partition without an interface name, and a port of a bond that is given by its UUID
foreign child 4e7cbb2e-7a1c-4a34-9d0c-6a1f0a3b1e01 <<'END'
type=infiniband

[infiniband]
p-key=32770
parent=ib0
transport-mode=datagram

[ipv4]
address1=192.0.2.1/24
method=manual

[ipv6]
method=disabled
END
foreign bond 4e7cbb2e-7a1c-4a34-9d0c-6a1f0a3b1e02 <<'END'
type=bond
interface-name=bond0

[bond]
fail_over_mac=active
mode=active-backup

[ipv4]
address1=192.0.2.2/24
method=manual

[ipv6]
method=disabled
END
foreign port 4e7cbb2e-7a1c-4a34-9d0c-6a1f0a3b1e03 <<'END'
type=infiniband
master=4e7cbb2e-7a1c-4a34-9d0c-6a1f0a3b1e02
slave-type=bond

[infiniband]
p-key=32769
parent=ib0
transport-mode=datagram
END
# the editor: the port is given by its address of 20 bytes, in capital letters
foreign editor 4e7cbb2e-7a1c-4a34-9d0c-6a1f0a3b1e04 <<END
type=infiniband

[infiniband]
mac-address=$(tr a-f A-F <$NET/ib1/address)
mtu=2044
transport-mode=datagram

[ipv4]
address1=192.0.2.3/24
method=manual

[ipv6]
addr-gen-mode=stable-privacy
method=disabled
END

for name in child port editor; do
    for options in '' -t '-f connection,infiniband -m tabular' '-g infiniband'; do
        # shellcheck disable=SC2086
        check "nm-ib connection show $options, profile '$name': output of nmcli" same $options connection show $name
    done
    check "profile '$name': modify changes only the MTU" modified $name infiniband.mtu 1500
    check "profile '$name': modify changes only the zone" modified $name connection.zone trusted
done
check "plan, editor's profile: on the port with its mac-address" prints -E '^ib1 .* editor' nm-ib plan editor
must nmcli connection modify editor connection.id ib0
check "plan, profile named like an idle interface: on the profile's port, as not active" prints -E '^ib1 .* ib0 \(not active\)$' nm-ib plan ib0
must nmcli connection modify ib0 connection.id ib7
check "apply, profile that is not active: exit 10" refused_with 10 "profile 'ib7' is not active" nm-ib apply ib7
must nmcli connection modify ib7 connection.id editor
check "role's partition: comes up" nm-ib -w 120 connection up child
expect_pkey ib0.8002 0x8002
expect_mtu ib0.8002 1500
check "editor's profile: comes up on the port with its mac-address" nm-ib -w 120 connection up editor
expect_state ib1 connected
expect_mtu ib1 1500
check "modify, port of an active-backup bond: no warning" prints_no -2 -i active-backup nm-ib connection modify port infiniband.mtu 2044
must nmcli connection modify bond bond.options mode=balance-rr
check "modify, port of a balance-rr bond: warns that IPoIB needs active-backup" prints -2 -i active-backup nm-ib connection modify port infiniband.mtu 1500
expect_nm_alive
