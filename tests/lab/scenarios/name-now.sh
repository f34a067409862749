# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: name set --now: the port and its P_Key child get their names and are up again, or all is as before
# with: plugin+dispatcher+cli (cli)
# releases: bookworm (trixie)
. ./lib.sh
fabric
nm_start
name() { nm-ib name set "$@" --now --no-initramfs; }
says() { local want=$1; shift; "$@" 2>&1 | grep -E -- "$want"; }
has_address() { ip -4 -o address show dev "$1" | grep -F " $2/"; }
expect_address() { check "$1 has the address $2" eventually has_address "$1" "$2"; }
property() { nmcli -g "$2" connection show "$1"; }
LINKS=/etc/systemd/network

# --- what is not safe is left for the next boot
profile x ifname ib0 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.100.1/24
child c ib0 0x8002 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.101.1/24
expect_up x
expect_up c
journal_mark
check "profiles are bound: not now, and it says how" says "not now: profiles are bound to the name ib0.*--update-profiles.*'x'" name ib0 mlx4_ib0
check "  the name is for the next boot" test -s $LINKS/70-nm-infiniband-mlx4_ib0.link
must ip link add link ib0 name by-hand type ipoib pkey 0x8003
must ip link set by-hand up
check "a child made by hand: not now" says 'not now: by-hand is up, and not by NetworkManager' name ib0 mlx4_ib0 --update-profiles
check "  'x' is for the next boot too" is "$(property x connection.interface-name)" mlx4_ib0
check "  and 'c'" is "$(property c infiniband.parent)" mlx4_ib0
must ip link del by-hand
expect_no_journal 'device \(ib0.*activated -> deactivating'
must nmcli connection modify x connection.interface-name ib0
must nmcli connection modify c connection.interface-name '' infiniband.parent ib0

# --- the port and its child, in spite of signals
(name ib0 mlx4_ib0 --update-profiles >/run/said 2>&1; echo "status $?" >>/run/said) &
must eventually eval '! has_address ib0.8002 198.51.101.1'
pid=$(pgrep -x nm-ib)
must kill -HUP "$pid"
must kill -TERM "$pid"
must kill -INT "$pid"
wait
check "it is done" grep -x 'status 0' /run/said
check "  and says so" grep -Fx 'ib0 is called mlx4_ib0 now.' /run/said
expect_link mlx4_ib0
expect_no_link ib0
expect_state mlx4_ib0 connected
expect_address mlx4_ib0 198.51.100.1
expect_state mlx4_ib0.8002 connected
expect_address mlx4_ib0.8002 198.51.101.1
expect_no_link ib0.8002
expect_down c
expect_up c
check "once more: nothing to do" says 'mlx4_ib0 keeps its name' name mlx4_ib0 mlx4_ib0

# --- a profile that does not fit the new name: everything is taken back
profile y ifname '' transport-mode datagram match.interface-name 'ib?' ipv4.method manual ipv4.addresses 198.51.102.1/24
child d ib1 0x8002 connection.interface-name ib1.8002 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.103.1/24
must nmcli connection up y ifname ib1
expect_up d
_remember y
_remember d
check "it is tried, and fails" eval 'name ib1 mlx4_ib1 --update-profiles >/run/said 2>&1; [ $? = 1 ]'
check "  with the reason" grep -E "^Error: 'y' does not come up.*; all is as before$" /run/said
expect_link ib1
expect_no_link mlx4_ib1
expect_state ib1 connected
expect_address ib1 198.51.102.1
expect_state ib1.8002 connected
expect_address ib1.8002 198.51.103.1
is_as_before() { diff <(grep -v ^timestamp= "$(_file "$1")") <(grep -v ^timestamp= "/run/profile-$1"); }
for p in y d; do check "'$p' is as before" is_as_before $p; done
check "no file is left" test ! -e $LINKS/70-nm-infiniband-mlx4_ib1.link

# --- a child that NetworkManager found when it started, and leaves behind
nm_restart
must nmcli connection modify y match.interface-name ''
expect_state ib1.8002 connected
check "after a restart of NetworkManager" name ib1 mlx4_ib1 --update-profiles
expect_state mlx4_ib1 connected
expect_address mlx4_ib1 198.51.102.1
expect_state mlx4_ib1.8002 connected
expect_address mlx4_ib1.8002 198.51.103.1
expect_no_link ib1.8002
check "the profile of the child went along" is "$(property d infiniband.parent)" mlx4_ib1
expect_nm_alive

# --- without NetworkManager
expect_down d
nm_stop
check "without NetworkManager, up: not now" says 'not now: mlx4_ib1 is up, and NetworkManager is not running' name mlx4_ib1 other_ib1
must ip link set mlx4_ib1 down
check "down: now" says 'mlx4_ib1 is called other_ib1 now' name mlx4_ib1 other_ib1 --keep-old-name
expect_link other_ib1
check "  and keeps the old name beside it" eval 'ip link show dev mlx4_ib1 | grep -w "altname mlx4_ib1"'
