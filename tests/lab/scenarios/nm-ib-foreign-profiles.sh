# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: profiles as Ansible's network role and nm-connection-editor write them are shown, modified and brought up
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
nm_start
same() { is "$(nm-ib "$@" 2>&1)" "$(nmcli "$@" 2>&1)"; }
# foreign NAME UUID: the rest of a keyfile from standard input
foreign() {
    { printf '[connection]\nid=%s\nuuid=%s\nautoconnect=false\n' "$@"; cat; } | install -m 600 /dev/stdin "$(_file "$1")"
    must nmcli connection load "$(_file "$1")"
}
# modified NAME PROPERTY VALUE: this property is changed, and no other; but libnm completes a port of a bond
modified() {
    local before
    before=$(nmcli -t connection show "$1" | grep -vE "^($2|bond-port\..*):")
    nm-ib connection modify "$@" || return
    is "$(nmcli -t connection show "$1" | grep -vE "^($2|bond-port\..*):")" "$before" && is "$(nmcli -g "$2" connection show "$1")" "$3"
}

# the role: a partition without a name for its interface, and a port of a bond that is named by its UUID
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
# the editor: the port by its address of 20 bytes, in capital letters
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
        check "show $options of '$name', as nmcli" same $options connection show $name
    done
    check "a property of '$name' is modified" modified $name infiniband.mtu 1500
    check "  and another" modified $name connection.zone trusted
done
check "what the editor wrote is planned on the port with that address" eval "nm-ib plan editor | grep -q '^ib1 .* editor'"
must nmcli connection modify editor connection.id ib0
check "a profile with the name of an interface is planned where none is active on that" eval "nm-ib plan ib0 | grep -q '^ib1 .* ib0 (not active)$'"
must nmcli connection modify ib0 connection.id ib7
check "but is not applied where none is active" eval 'nm-ib apply ib7; is $? 10'
must nmcli connection modify ib7 connection.id editor
check "the partition comes up" nm-ib -w 120 connection up child
expect_pkey ib0.8002 0x8002
expect_mtu ib0.8002 1500
check "what the editor wrote comes up on the port with that address" nm-ib -w 120 connection up editor
expect_state ib1 connected
expect_mtu ib1 1500
check "no word about a bond that fits" eval "! nm-ib connection modify port infiniband.mtu 2044 2>&1 | grep -i active-backup"
must nmcli connection modify bond bond.options mode=balance-rr
check "one about a mode that IPoIB cannot do" eval "nm-ib connection modify port infiniband.mtu 1500 2>&1 | grep -i active-backup"
expect_nm_alive
