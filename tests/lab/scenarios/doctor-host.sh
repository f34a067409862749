# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor: files of other tools, limits, the dispatcher's helper, the kernel's log
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
check "ifcfg file without TYPE: ifcfg-without-type, exit 4" doctor_finds ifcfg-without-type 4
echo TYPE=InfiniBand >>/etc/sysconfig/network-scripts/ifcfg-ib0
check "ifcfg file that no program reads: ifcfg-unread, exit 1" doctor_finds ifcfg-unread 1
rm -r /etc/sysconfig/network-scripts
mkdir -p /run/systemd/netif/links
echo ADMIN_STATE=configured >"/run/systemd/netif/links/$(cat /sys/class/net/ib0/ifindex)"
check "ib0 configured by systemd-networkd, too: two-managers, exit 4" doctor_finds two-managers 4
echo ADMIN_STATE=unmanaged >"/run/systemd/netif/links/$(cat /sys/class/net/ib0/ifindex)"
check "ib0 unmanaged by systemd-networkd: no finding" doctor_healthy
cp "$(command -v sleep)" /run/slurmd
(ulimit -l 64 && exec /run/slurmd 600) &
check "slurmd with a memlock limit of 64 KiB: memlock-small, exit 1" eventually doctor_finds memlock-small 1
kill $!
(ulimit -l unlimited && exec /run/slurmd 600) &
must eventually file_is slurmd /proc/$!/comm
check "slurmd with unlimited memlock: no finding" doctor_healthy
kill $!
script=$(readlink -f /usr/lib/NetworkManager/dispatcher.d/10-nm-ib)
chmod 777 "$script"
check "dispatcher entry that others may write: dispatcher-refused, exit 4" doctor_finds dispatcher-refused 4
check "dispatcher entry that others may write: --fix fixes it" eval "nm-ib doctor --fix --yes >/run/mended && doctor_healthy"
mv "$script" "$script.away"
check "dispatcher entry missing: dispatcher-missing, exit 4" doctor_finds dispatcher-missing 4
check "dispatcher entry missing: --fix runs nothing" prints -s 4 'Nothing to fix' nm-ib doctor --fix --yes
mv "$script.away" "$script"
echo "nv_peer_mem: disagrees about version of symbol ib_register_peer_memory_client" >/dev/kmsg
check "kernel log, module of another stack: modules-of-two-stacks, exit 1" doctor_finds modules-of-two-stacks 1
dmesg -C 2>/dev/null
# refuses TEXT WORD...: doctor refuses the words with this text
refuses() { check "doctor ${*:2}: one line, exit 2" refused_with 2 "$1" nm-ib doctor "${@:2}"; }
refuses "Error: unknown finding 'no-such-id'" --fix no-such-id
refuses 'Error: --yes: only with --fix' --yes
refuses 'Error: only one of --fix, --json' --json --fix
refuses 'Usage: nm-ib doctor' a b
