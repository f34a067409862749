# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor: a plugin that was refused or replaced, and a name that does not hold
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
check "plugin refused for its file mode: plugin-not-loaded, exit 1" eventually doctor_finds plugin-not-loaded 1
chmod 644 $object
nm_restart
check "plugin loaded: no finding" eventually doctor_healthy
cp $object $object.new
mv $object.new $object
check "plugin replaced while the daemon runs: plugin-older, exit 1" doctor_finds plugin-older 1
check "plugin replaced while the daemon runs: the command fixes it" eval "doctor_mend && eventually doctor_healthy"

name_port ib0 storage0
check "name for the next boot, profile bound to the old name: profile-loses-port, exit 1" doctor_finds profile-loses-port 1
check "name for the next boot, profile bound to the old name: the command fixes it" eval "
    doctor_mend && doctor_healthy && is storage0 \"\$(nmcli -g connection.interface-name connection show storage)\""
must nm-ib name unset storage0 --no-initramfs
check "name unset, profile bound to that name: profile-loses-port, exit 1" doctor_finds profile-loses-port 1
check "name unset, profile bound to that name: the command fixes it" eval "doctor_mend && doctor_healthy"
must nmcli connection delete storage
must nm-ib name unset storage0 --no-initramfs
name_port storage0 storage1
check "name for the next boot: name-at-next-boot, exit 0" doctor_finds name-at-next-boot 0
must nm-ib name set mlx4_0/1 storage0 --no-initramfs
nm_stop
fabric_unload
must ip link add storage0 type dummy
fabric
nm_start
check "name taken by another interface: name-does-not-hold, exit 1" eventually doctor_finds name-does-not-hold 1
must ip link del storage0
must nm-ib name unset storage0
printf '[Match]\nMACAddress=%s\n[Link]\nName=first\n' "$(cat /sys/class/net/ib0/address)" >/etc/systemd/network/10-first.link
check ".link file that matches a whole address: link-file-by-address, exit 1" doctor_finds link-file-by-address 1
check ".link file that matches a whole address: the command fixes it" eval "doctor_mend && doctor_finds name-at-next-boot 0"
