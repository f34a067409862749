# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor on files of other tools, limits, the dispatcher's helper and the kernel's log
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx5_0 rev=0xb0 enhanced=0,1 devid=0x1003,0x1017
nm_start
profile storage ifname ib0 connection.autoconnect yes
must up storage

mkdir -p /etc/sysconfig/network-scripts
echo DEVICE=ib0 >/etc/sysconfig/network-scripts/ifcfg-ib0
check "an ifcfg file without its type" doctor_finds ifcfg-without-type 4
echo TYPE=InfiniBand >>/etc/sysconfig/network-scripts/ifcfg-ib0
check "an ifcfg file that nobody reads" doctor_finds ifcfg-unread 1
rm -r /etc/sysconfig/network-scripts
mkdir -p /run/systemd/netif/links
echo ADMIN_STATE=configured >"/run/systemd/netif/links/$(cat /sys/class/net/ib0/ifindex)"
check "two managers of one interface" doctor_finds two-managers 4
echo ADMIN_STATE=unmanaged >"/run/systemd/netif/links/$(cat /sys/class/net/ib0/ifindex)"
check "  where the other leaves it alone" doctor_healthy
cp "$(command -v sleep)" /run/slurmd
(ulimit -l 64 && exec /run/slurmd 600) &
check "a service whose jobs may lock little memory" eventually doctor_finds memlock-small 1
kill $!
(ulimit -l unlimited && exec /run/slurmd 600) &
sleep 1
check "  and one whose jobs may" doctor_healthy
kill $!
script=$(readlink -f /usr/lib/NetworkManager/dispatcher.d/10-nm-ib)
chmod 777 "$script"
check "a dispatcher helper that others may write" doctor_finds dispatcher-refused 4
check "a dispatcher helper that others may write: mended" eval "nm-ib doctor --fix --yes >/run/mended; doctor_healthy"
mv "$script" "$script.away"
check "a dispatcher helper that is missing" doctor_finds dispatcher-missing 4
check "a dispatcher helper that is missing: --fix runs nothing" eval "nm-ib doctor --fix --yes | grep -F 'nothing that --fix mends'"
mv "$script.away" "$script"
echo "nv_peer_mem: disagrees about version of symbol ib_register_peer_memory_client" >/dev/kmsg
check "a module of another stack, from the kernel's log" doctor_finds modules-of-two-stacks 1
dmesg -C 2>/dev/null
check "bad words: one line, exit 2" eval "for w in '--fix no-such-id' --yes '--json --fix' 'a b'; do nm-ib doctor \$w 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1' || exit; done"
