# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor on a plugin that was refused or replaced, and on a name that does not hold
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
object=/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so

fabric
nm_start
profile storage ifname ib0
expect_up storage
expect_carrier ib0 1

chmod 666 $object
nm_restart
check "a plugin that is installed and was refused" eventually doctor_finds plugin-not-loaded 1
chmod 644 $object
nm_restart
check "  and gone when it is loaded" eventually doctor_healthy
cp $object $object.new
mv $object.new $object
check "a plugin that was replaced while the daemon runs" doctor_finds plugin-older 1
check "a plugin that was replaced: the command mends it" eval "doctor_mend && eventually doctor_healthy"

name_port ib0 storage0
check "a name for the next boot, and a profile that is bound to the old one" doctor_finds profile-loses-port 1
check "a name for the next boot, and a profile that is bound to the old one: the command mends it" eval "
    doctor_mend && doctor_healthy && is storage0 \"\$(nmcli -g connection.interface-name connection show storage)\""
must nm-ib name unset storage0 --no-initramfs
check "a name that was taken back, and a profile that is bound to the name" doctor_finds profile-loses-port 1
check "a name that was taken back, and a profile that is bound to the name: the command mends it" eval "doctor_mend && doctor_healthy"
must nmcli connection delete storage
must nm-ib name unset storage0 --no-initramfs
name_port storage0 storage1
check "a name for the next boot is no fault" doctor_finds name-at-next-boot 0
must nm-ib name set mlx4_0/1 storage0 --no-initramfs
nm_stop
fabric_unload
must ip link add storage0 type dummy
fabric
nm_start
check "a name that somebody else has" eventually doctor_finds name-does-not-hold 1
must ip link del storage0
must nm-ib name unset storage0
printf '[Match]\nMACAddress=%s\n[Link]\nName=first\n' "$(cat /sys/class/net/ib0/address)" >/etc/systemd/network/10-first.link
check "a .link file that matches a whole address" doctor_finds link-file-by-address 1
check "a .link file that matches a whole address: the command mends it" eval "doctor_mend && doctor_finds name-at-next-boot 0"
