# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: name set --now: all profiles that are bound to the old name follow, or none
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
nm_start
name() { nm-ib name set ib0 mlx4_ib0 --no-initramfs "$@"; }
# refuses STATUS REGEX COMMAND...: one line of output, with REGEX
refuses() {
    local code=0 out
    out=$("${@:3}" 2>&1) || code=$?
    echo "$out"
    is "exit status $code" "exit status $1" && is "$(wc -l <<<"$out")" 1 && grep -qE -- "$2" <<<"$out"
}
dry_run() { name --dry-run 2>&1; }
LINK=/etc/systemd/network/70-nm-infiniband-mlx4_ib0.link
BOUND="x c tunnel bond pppoe match"

profile x ifname ib0 mtu 2000
child c ib0 0x8002 connection.interface-name ib0.8002 connection.zone trusted
must nmcli connection add type ip-tunnel con-name tunnel ifname t0 autoconnect no mode gre remote 192.0.2.9 dev ib0.8002
must nmcli connection add type bond con-name bond ifname bond0 autoconnect no bond.options mode=active-backup,primary=ib0,miimon=100
must nmcli connection add type pppoe con-name pppoe ifname ppp7 autoconnect no pppoe.parent ib0 username joe password sesame \
    pppoe.password-flags 0
must nmcli connection add type infiniband con-name match ifname '' autoconnect no match.interface-name 'ib0,!ib1,eth*'
profile other ifname ib1
child of-other ib1 0x8002
for p in $BOUND; do _remember "$p"; done
all_kept() { local p; for p in $BOUND other of-other; do cmp "$(_file "$p")" "/run/profile-$p" || return; done; }

check "name set --dry-run: lists the bound profiles" prints "'c' (connection.interface-name ib0.8002, infiniband.parent ib0)" dry_run
check "name set --dry-run --json: lists the properties that change" prints '{"property":"bond.options","from":"primary=ib0","to":"primary=mlx4_ib0"}' nm-ib name set ib0 mlx4_ib0 --dry-run --json

# --- no profile follows if one of them cannot
mkdir -p /run/NetworkManager/system-connections
printf '[connection]\nid=made\nuuid=0c9b7f0e-1b3f-4b1e-9d6c-0a1b2c3d4e5f\ntype=infiniband\ninterface-name=ib0\nautoconnect=false\n[infiniband]\ntransport-mode=datagram\n' \
    >/run/NetworkManager/system-connections/made.nmconnection
chmod 600 /run/NetworkManager/system-connections/made.nmconnection
must nmcli connection reload
check "name set --now, profile only in /run: refused" refuses 2 "'made' .*is only in /run/NetworkManager" name --now
must nmcli connection delete made
must nmcli connection modify --temporary x infiniband.mtu 2001
check "name set --now, profile with unsaved changes: refused" refuses 2 "'x' .*a change of the profile, is " name --now
must nmcli connection modify x infiniband.mtu 2000
must nmcli connection add type bond con-name taken ifname mlx4_ib0 autoconnect no
check "name set, name of a bond profile: refused" refuses 2 "'taken' \(bond, " name
must nmcli connection delete taken
must mount --bind "$(_file tunnel)" "$(_file tunnel)" # so no file can be renamed to this one
journal_mark
check "name set --now, profile that cannot be stored: refused" refuses 1 "'tunnel' .*cannot be saved.*all profiles are as before" name --now
check "name set --now, profile that cannot be stored: others were stored before" _said 'op="connection-update".*result="success"'
must umount "$(_file tunnel)"
check "refusals: every profile is unchanged" all_kept
check "refusals: no .link file is left" test ! -e $LINK

# --- all profiles follow
must name
check "name set without --now: every profile is unchanged" all_kept
check "name set without --now: writes the .link file" test -s $LINK
check "name set --now: succeeds" eval 'name --now >/run/said'
is_now() { check "name set --now, profile $1: $2 is $3" prints_only "$3" nmcli -g "$2" connection show "$1"; }
is_now x connection.interface-name mlx4_ib0
is_now x infiniband.mtu 2000
is_now c connection.interface-name mlx4_ib0.8002
is_now c infiniband.parent mlx4_ib0
is_now c connection.zone trusted
is_now tunnel ip-tunnel.parent mlx4_ib0.8002
is_now bond bond.options mode=active-backup,miimon=100,primary=mlx4_ib0
is_now pppoe pppoe.parent mlx4_ib0
check "name set --now, profile pppoe: keeps its secret" grep -Fx password=sesame "$(_file pppoe)"
is_now match match.interface-name 'mlx4_ib0,!ib1,eth*'
for p in other of-other; do expect_profile_kept $p; done
check "name set --now: prints the commands to go back" eval 'grep "^  nmcli connection modify " /run/said >/run/back'
check "name set --now, commands to go back: succeed" bash -e /run/back
back() { local p; for p in x c tunnel pppoe match; do cmp "$(_file "$p")" "/run/profile-$p" || return; done; }
check "name set --now, commands to go back: restore the profiles byte by byte" back
is_now bond bond.options mode=active-backup,miimon=100,primary=ib0
expect_nm_alive
