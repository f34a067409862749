# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: name set --now: the port and its P_Key child get their names and are up again, or nothing changes
# with: plugin+dispatcher+cli cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
nm_start
name() { nm-ib name set "$@" --now --no-initramfs; }
# says STATUS REGEX COMMAND...: in a line of its output or of its errors
says() {
    local code=0 out
    out=$("${@:3}" 2>&1) || code=$?
    echo "$out"
    is "exit status $code" "exit status $1" && grep -qE -- "$2" <<<"$out"
}
has_address() { ip -4 -o address show dev "$1" | grep -F " $2/"; }
property() { nmcli -g "$2" connection show "$1"; }
LINKS=/etc/systemd/network

# --- an unsafe rename is refused, and nothing is written
profile x ifname ib0 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.100.1/24
child c ib0 0x8002 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.101.1/24
expect_up x
expect_up c
_remember x
_remember c
journal_mark
must ip link add link ib0 name by-hand type ipoib pkey 0x8003
must ip link set by-hand up
check "name set --now, child made by hand: refused" says 2 'ib0 cannot be renamed now: by-hand is up, but not managed by NetworkManager; without --now the name holds from the next boot on$' name ib0 mlx4_ib0
check "name set --now, child made by hand: exit 2" ends 2 name ib0 mlx4_ib0
check "name set --now, child made by hand: no .link file" test ! -e $LINKS/70-nm-infiniband-mlx4_ib0.link
for p in x c; do expect_profile_kept $p; done
must ip link del by-hand
expect_no_journal 'device \(ib0.*activated -> deactivating'

# --- a name for the next boot: the profiles are unchanged, and still work
check "name set without --now: warns of the bound profiles, with the command" eval "nm-ib name set ib0 mlx4_ib0 --no-initramfs >/run/said 2>&1 && grep -E \"warning: profile 'c' \(.*infiniband.parent ib0\) is bound to ib0\" /run/said && grep -Fx '  nm-ib name set ib0 mlx4_ib0 --now' /run/said"
check "name check, name for the next boot: reported as no fault" prints 'ib0 will be called mlx4_ib0 at the next boot' nm-ib name check
for p in x c; do expect_profile_kept $p; done
port_state mlx4_0 1 down
port_state mlx4_0 1 active
nm_restart
expect_down x
expect_up x
expect_up c
expect_address ib0 198.51.100.1
expect_address ib0.8002 198.51.101.1

must ip link add mlx4_ib0.8002 type dummy
check "name set --now, child's new name in use: refused before any deactivation" eval "name ib0 mlx4_ib0 2>/run/err; is \$? 2 && grep 'interface mlx4_ib0.8002 already exists' /run/err && has_address ib0.8002 198.51.101.1"
must ip link del mlx4_ib0.8002
must nm-ib name unset mlx4_ib0 --no-initramfs

# --- the port and its child, with signals during the rename
(name ib0 mlx4_ib0 >/run/said 2>&1; echo "status $?" >>/run/said) &
must eventually eval '! has_address ib0.8002 198.51.101.1'
pid=$(pgrep -x nm-ib)
must kill -HUP "$pid"
must kill -TERM "$pid"
must kill -INT "$pid"
wait
check "name set --now with SIGHUP, SIGTERM and SIGINT: exit 0" grep -x 'status 0' /run/said
check "name set --now with SIGHUP, SIGTERM and SIGINT: reports the new name" grep -Fx 'ib0 is called mlx4_ib0 now.' /run/said
expect_link mlx4_ib0
expect_no_link ib0
expect_state mlx4_ib0 connected
expect_address mlx4_ib0 198.51.100.1
expect_state mlx4_ib0.8002 connected
expect_address mlx4_ib0.8002 198.51.101.1
expect_no_link ib0.8002
expect_down c
expect_up c
check "name set --now, second run: the port keeps its name" says 0 'mlx4_ib0 keeps its name' name mlx4_ib0 mlx4_ib0

# --- a profile that does not fit the new name: the rename is rolled back
profile y ifname '' transport-mode datagram match.interface-name 'ib?' ipv4.method manual ipv4.addresses 198.51.102.1/24
child d ib1 0x8002 connection.interface-name ib1.8002 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.103.1/24
must nmcli connection up y ifname ib1
expect_up d
_remember y
_remember d
check "name set --now, profile that does not come up again: exit 1" eval 'name ib1 mlx4_ib1 >/run/said 2>&1; [ $? = 1 ]'
check "name set --now, profile that does not come up again: names the profile" grep -E "^Error: profile 'y' cannot be activated.*; all is as before$" /run/said
expect_link ib1
expect_no_link mlx4_ib1
expect_state ib1 connected
expect_address ib1 198.51.102.1
expect_state ib1.8002 connected
expect_address ib1.8002 198.51.103.1
is_as_before() { diff <(grep -v ^timestamp= "$(_file "$1")") <(grep -v ^timestamp= "/run/profile-$1"); }
for p in y d; do check "rollback: profile '$p' is unchanged" is_as_before $p; done
check "rollback: no .link file is left" test ! -e $LINKS/70-nm-infiniband-mlx4_ib1.link

# --- a child that NetworkManager found at its start, and leaves behind
nm_restart
must nmcli connection modify y match.interface-name ''
expect_state ib1.8002 connected
check "name set --now after a restart of NetworkManager: succeeds" name ib1 mlx4_ib1
expect_state mlx4_ib1 connected
expect_address mlx4_ib1 198.51.102.1
expect_state mlx4_ib1.8002 connected
expect_address mlx4_ib1.8002 198.51.103.1
expect_no_link ib1.8002
check "name set --now: the child's profile has the new parent" is "$(property d infiniband.parent)" mlx4_ib1
check "name set --now, --wait 0: succeeds" nm-ib --wait 0 name set mlx4_ib1 mlx4_ib9 --now --no-initramfs
expect_state mlx4_ib9 connected
expect_state mlx4_ib9.8002 connected
check "name set --now, back to the first name: succeeds" name mlx4_ib9 mlx4_ib1
expect_nm_alive

# --- unset: lists the profiles that are bound to the name
check "name unset: lists the bound profiles" says 0 "warning: profile 'd' \(.*infiniband.parent mlx4_ib1\) is bound to mlx4_ib1" nm-ib name unset mlx4_ib1 --no-initramfs

# --- without NetworkManager the profiles are unknown
nm_stop
check "name set --now without NetworkManager: refused" says 2 '^Error: --now: NetworkManager is not running' name mlx4_ib1 other_ib1
