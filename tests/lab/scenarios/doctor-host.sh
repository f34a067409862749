# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor on profiles, files, services, limits and the kernel's log, and what --fix mends
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx5_0 rev=0xb0 enhanced=0,1 devid=0x1003,0x1017
nm_start
profile storage ifname ib0 connection.autoconnect yes
must up storage
# finds ID... EXIT: just these, in any order, and that exit code
finds() {
    local code=0 ids
    nm-ib doctor --json >/run/found || code=$?
    ids=$(python3 -c 'import json; print(*sorted(f["id"] for f in json.load(open("/run/found"))["findings"]))')
    is "$ids $code" "$*"
}
healthy() { is "$(nm-ib doctor)" "Nothing is wrong." && finds "" 0; }
field() { python3 -c 'import json, sys; print(json.load(open("/run/found"))["findings"][0][sys.argv[1]])' "$1"; }
keyfile=/etc/NetworkManager/system-connections/byhand.nmconnection

check "a healthy machine" eventually healthy
must nmcli connection add type infiniband con-name decimal ifname '*' infiniband.parent ib0 infiniband.p-key 8002 connection.autoconnect no
check "a P_Key that was written as a decimal number" eventually finds pkey-looks-decimal 2
check "  is mended" eval "nm-ib doctor --fix pkey-looks-decimal --yes | grep -F 'nm-ib connection modify id decimal infiniband.p-key 0x8002'"
check "  and gone" healthy
check "  in the profile" is "$(nmcli -g infiniband.p-key connection show decimal)" 0x8002
must nmcli connection delete decimal

must nmcli connection add type infiniband con-name nowhere ifname ib77 connection.autoconnect yes
check "a profile without its interface" eventually finds profile-without-interface 1
check "  by the profile's name" eval "nm-ib doctor nowhere | grep -F '[profile-without-interface]'"
check "  of another profile nothing is wrong" is "$(nm-ib doctor storage)" "Nothing is wrong."
must nmcli connection delete nowhere
must nmcli connection add type ethernet con-name wrong ifname ib0 connection.autoconnect no
check "a profile of the wrong type" eventually finds ethernet-profile-on-infiniband 2
must nmcli connection delete wrong
must nmcli connection add type bond con-name bond0 ifname bond0 bond.options mode=balance-rr connection.autoconnect no ipv4.method disabled ipv6.method disabled
must nmcli connection add type infiniband con-name port0 ifname ib1 master bond0 connection.autoconnect no
check "a bond of another mode" eventually finds bond-not-active-backup 2
must nmcli connection modify bond0 bond.options mode=active-backup
check "  and of the right one" eventually healthy
must nmcli connection delete port0 bond0
must nmcli connection modify storage infiniband.mtu 4092
check "an MTU that the subnet does not allow" eventually finds mtu-limited 1
must nmcli connection modify storage infiniband.mtu 0
enhanced=$(basename "$(ls -d /sys/class/infiniband/mlx5_0/device/net/* | head -1)")
must nmcli connection add type infiniband con-name enhanced ifname "$enhanced" transport-mode connected connection.autoconnect no
check "connected mode where there is none" eventually finds connected-impossible 1
check "  is mended" eval "nm-ib doctor --fix --yes >/run/mended; finds '' 0"
must nmcli connection delete enhanced

printf '[connection]\nid=byhand\nuuid=%s\ntype=infiniband\ninterface-name=ib1\nautoconnect=false\n[infiniband]\ntransport-mode=datagram\n' "$(cat /proc/sys/kernel/random/uuid)" >$keyfile
chmod 644 $keyfile
check "a keyfile that others may read" eventually finds keyfile-permissions 2
check "  is mended only when asked: no terminal, one line, exit 2" eval "nm-ib doctor --fix </dev/null 2>/run/err >/dev/null; is \"\$? \$(wc -l </run/err)\" '2 1'"
check "  is mended" eval "nm-ib doctor --fix --yes >/run/mended; finds '' 0"
check "  and loaded" nmcli -g connection.id connection show byhand
must nmcli connection delete byhand
printf '[connection]\nid=byhand\nuuid=%s\ntype=infiniband\ninterface-name=ib1\nautoconnect=false\n[infiniband]\ntransport-mode=sideways\n' "$(cat /proc/sys/kernel/random/uuid)" >$keyfile
chmod 600 $keyfile
check "a keyfile that is broken" eventually finds keyfile-broken 2
check "  with the reason" eval "field seen | grep -F transport-mode"
sed -i s/sideways/datagram/ $keyfile
check "a keyfile that nobody has loaded" eventually finds keyfile-not-loaded 1
check "  is mended" eval "nm-ib doctor --fix --yes >/run/mended; finds '' 0"
must nmcli connection delete byhand

mkdir -p /etc/sysconfig/network-scripts
echo DEVICE=ib0 >/etc/sysconfig/network-scripts/ifcfg-ib0
check "an ifcfg file without its type" finds ifcfg-without-type 2
echo TYPE=InfiniBand >>/etc/sysconfig/network-scripts/ifcfg-ib0
check "an ifcfg file that nobody reads" finds ifcfg-unread 1
rm -r /etc/sysconfig/network-scripts
mkdir -p /run/systemd/netif/links
echo ADMIN_STATE=configured >"/run/systemd/netif/links/$(cat /sys/class/net/ib0/ifindex)"
check "two managers of one interface" finds two-managers 2
echo ADMIN_STATE=unmanaged >"/run/systemd/netif/links/$(cat /sys/class/net/ib0/ifindex)"
check "  where the other leaves it alone" healthy
cp "$(command -v sleep)" /run/slurmd
(ulimit -l 64 && exec /run/slurmd 600) &
check "a service whose jobs may lock little memory" eventually finds memlock-small 1
kill $!
(ulimit -l unlimited && exec /run/slurmd 600) &
sleep 1
check "  and one whose jobs may" healthy
kill $!
script=$(readlink -f /usr/lib/NetworkManager/dispatcher.d/10-nm-ib)
chmod 777 "$script"
check "a dispatcher helper that others may write" finds dispatcher-refused 2
chmod 755 "$script"
echo "nv_peer_mem: disagrees about version of symbol ib_register_peer_memory_client" >/dev/kmsg
check "a module of another stack, from the kernel's log" finds modules-of-two-stacks 1
dmesg -C 2>/dev/null
check "bad words: one line, exit 2" eval "for w in '--fix no-such-id' --yes '--json --fix' 'a b'; do nm-ib doctor \$w 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1' || exit; done"
