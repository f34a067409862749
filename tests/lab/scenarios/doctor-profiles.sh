# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor on profiles and their files, and what --fix mends
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx5_0 rev=0xb0 enhanced=0,1 devid=0x1003,0x1017
nm_start
profile storage ifname ib0 connection.autoconnect yes
must up storage
keyfile=/etc/NetworkManager/system-connections/byhand.nmconnection

check "a healthy machine" eventually doctor_healthy
must nmcli connection add type infiniband con-name decimal ifname '*' infiniband.parent ib0 infiniband.p-key 0x8001 connection.autoconnect no
other=$(nmcli -g connection.uuid connection show decimal)
must nmcli connection add type infiniband con-name decimal ifname '*' infiniband.parent ib0 infiniband.p-key 8002 connection.autoconnect no
check "a P_Key that was written as a decimal number" eventually doctor_finds pkey-looks-decimal 4
uuid=$(nmcli -g NAME,UUID connection show | grep ^decimal: | cut -d: -f2 | grep -v "$other")
check "  is named by its UUID, for another profile has its name" eval "doctor_field mend | grep -Fx 'nm-ib connection modify uuid $uuid infiniband.p-key 0x8002'"
check "  is mended" eval "nm-ib doctor --fix pkey-looks-decimal --yes | grep -F 'nm-ib connection modify uuid $uuid infiniband.p-key 0x8002'"
check "  and gone" doctor_healthy
check "  in this profile" is "$(nmcli -g infiniband.p-key connection show uuid "$uuid")" 0x8002
check "  and not in the other" is "$(nmcli -g infiniband.p-key connection show uuid "$other")" 0x8001
must nmcli connection delete uuid "$uuid" uuid "$other"

must nmcli connection add type infiniband con-name nowhere ifname ib77 connection.autoconnect yes
check "a profile without its interface" eventually doctor_finds profile-without-interface 1
check "  by the profile's name" eval "nm-ib doctor nowhere | grep -F '[profile-without-interface]'"
check "  of another profile nothing is wrong" doctor_content storage
must nmcli connection delete nowhere
must nm-ib name set ib1 later --no-initramfs
must nmcli connection add type infiniband con-name waits ifname later connection.autoconnect yes
check "a name for the next boot is an information, and its profile has an interface then" eventually doctor_finds name-at-next-boot 0
check "the profile for the next boot's name alone: nothing is wrong" doctor_content waits
must nmcli connection delete waits
must nm-ib name unset later --no-initramfs
must nmcli connection add type ethernet con-name wrong ifname ib0 connection.autoconnect no
check "a profile of the wrong type" eventually doctor_finds ethernet-profile-on-infiniband 4
check "a profile of the wrong type: the command shows the addresses that a new one needs" eval "is \"\$(doctor_field mended_by)\" hands; doctor_mend | grep ipv4.method"
must nmcli connection delete wrong
must nmcli connection add type bond con-name bond0 ifname bond0 bond.options mode=802.3ad,lacp_rate=fast,miimon=50 connection.autoconnect no ipv4.method disabled ipv6.method disabled
must nmcli connection add type infiniband con-name port0 ifname ib1 master bond0 connection.autoconnect no
check "a bond of another mode" eventually doctor_finds bond-not-active-backup 4
check "a bond of another mode: the command mends it" eval "doctor_mend && eventually doctor_healthy"
must nmcli connection delete port0 bond0
must nmcli connection modify storage infiniband.mac-address "$(cat /sys/class/net/ib1/address)"
check "a profile for another port" eventually doctor_finds profile-for-other-port 4
check "a profile for another port: the command mends it" eval "doctor_mend && eventually doctor_healthy"
mkdir -p /etc/nm-infiniband/profiles
echo >/etc/nm-infiniband/profiles/0c0ffee0-0000-4000-8000-000000000001
check "words of a profile that is gone" doctor_finds words-without-profile 1
check "words of a profile that is gone: the command mends it" eval "doctor_mend && doctor_healthy"
must nmcli connection modify storage infiniband.mtu 4092
must up storage
check "an MTU that the subnet does not allow" eventually doctor_finds mtu-limited 1
must nmcli connection modify storage infiniband.mtu 0
enhanced=$(basename "$(ls -d /sys/class/infiniband/mlx5_0/device/net/* | head -1)")
must nmcli connection add type infiniband con-name enhanced ifname "$enhanced" transport-mode connected connection.autoconnect no
check "connected mode where there is none" eventually doctor_finds connected-impossible 1
check "  is mended" eval "nm-ib doctor --fix --yes >/run/mended; doctor_finds '' 0"
must nmcli connection delete enhanced

printf '[connection]\nid=byhand\nuuid=%s\ntype=infiniband\ninterface-name=ib1\nautoconnect=false\n[infiniband]\ntransport-mode=datagram\n' "$(cat /proc/sys/kernel/random/uuid)" >$keyfile
chmod 644 $keyfile
check "a keyfile that others may read" eventually doctor_finds keyfile-permissions 4
check "  is mended only when asked: no terminal, one line, exit 2" eval "nm-ib doctor --fix </dev/null 2>/run/err >/dev/null; is \"\$? \$(wc -l </run/err)\" '2 1'"
check "  is mended" eval "nm-ib doctor --fix --yes >/run/mended; doctor_finds '' 0"
check "  and loaded" nmcli -g connection.id connection show byhand
chmod 644 $keyfile
check "a loaded keyfile that others may read by now" doctor_finds keyfile-permissions 4
check "a loaded keyfile that others may read by now: is mended" eval "nm-ib doctor --fix --yes >/run/mended; doctor_finds '' 0"
sed -i s/datagram/datagran/ $keyfile
check "a loaded keyfile with a mistake by now" doctor_finds keyfile-broken 4
sed -i s/datagran/datagram/ $keyfile
must nmcli connection delete byhand
printf '[connection]\nid=byhand\nuuid=%s\ntype=infiniband\ninterface-name=ib1\nautoconnect=false\n[infiniband]\ntransport-mode=sideways\n' "$(cat /proc/sys/kernel/random/uuid)" >$keyfile
chmod 600 $keyfile
check "a keyfile that is broken" eventually doctor_finds keyfile-broken 4
check "  with the reason" eval "doctor_field seen | grep -F transport-mode"
sed -i s/sideways/datagram/ $keyfile
check "a keyfile that nobody has loaded" eventually doctor_finds keyfile-not-loaded 1
cp -p $keyfile ${keyfile/byhand/copy}
check "a keyfile and its copy, neither loaded: one finding" doctor_finds keyfile-not-loaded 1
check "  is mended" eval "nm-ib doctor --fix --yes >/run/mended; doctor_finds '' 0"
check "a copy with the UUID of a loaded keyfile: no finding" doctor_healthy
rm -f ${keyfile/byhand/copy}
must nmcli connection modify --temporary byhand connection.zone lab
check "modify --temporary: the keyfile below the one in /run is no finding" eval "ls /run/NetworkManager/system-connections/*byhand* && doctor_healthy"
below=/usr/lib/NetworkManager/system-connections/byhand.nmconnection
mkdir -p "${below%/*}"
must nmcli connection modify byhand connection.zone ''
cp -p $keyfile $below
check "a keyfile in /usr/lib below one in /etc with its UUID: no finding" doctor_healthy
must nmcli connection reload
must nmcli connection delete byhand
check "a keyfile in /usr/lib whose profile was deleted: no finding" eval "test -e $below && ! nmcli connection show byhand && doctor_healthy"
rm $below
