# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor: profiles and their files, and what --fix changes
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx5_0 rev=0xb0 enhanced=0,1 devid=0x1003,0x1017
nm_start
profile storage ifname ib0 connection.autoconnect yes
must up storage
keyfile=/etc/NetworkManager/system-connections/byhand.nmconnection
# fixes: doctor --fix, with no crash; what it sees just after the commands is not judged
fixes() { nm-ib doctor --fix --yes >/run/mended || (($? < 126)); }

check "healthy machine: no finding" eventually doctor_healthy
must nmcli connection add type infiniband con-name decimal ifname '*' infiniband.parent ib0 infiniband.p-key 0x8001 connection.autoconnect no
other=$(nmcli -g connection.uuid connection show decimal)
must nmcli connection add type infiniband con-name decimal ifname '*' infiniband.parent ib0 infiniband.p-key 8002 connection.autoconnect no
check "P_Key written as a decimal number: pkey-looks-decimal, exit 4" eventually doctor_finds pkey-looks-decimal 4
uuid=$(nmcli -g NAME,UUID connection show | grep ^decimal: | cut -d: -f2 | grep -v "$other")
check "P_Key written as a decimal number, two profiles with this name: the command has the UUID" prints -x "nm-ib connection modify uuid $uuid infiniband.p-key 0x8002" doctor_field mend
check "P_Key written as a decimal number: --fix runs the command" prints "nm-ib connection modify uuid $uuid infiniband.p-key 0x8002" nm-ib doctor --fix pkey-looks-decimal --yes
check "P_Key written as a decimal number, after --fix: no finding" doctor_healthy
check "P_Key written as a decimal number, after --fix: the profile has the P_Key" is "$(nmcli -g infiniband.p-key connection show uuid "$uuid")" 0x8002
check "P_Key written as a decimal number, after --fix: the profile of the same name is unchanged" is "$(nmcli -g infiniband.p-key connection show uuid "$other")" 0x8001
must nmcli connection delete uuid "$uuid" uuid "$other"

must nmcli connection add type infiniband con-name nowhere ifname ib77 connection.autoconnect yes
check "profile with an interface that does not exist: profile-without-interface, exit 1" eventually doctor_finds profile-without-interface 1
check "profile with an interface that does not exist: found by the name of the profile" prints -s 1 '[profile-without-interface]' nm-ib doctor nowhere
check "profile with an interface that does not exist: no finding for another profile" doctor_content storage
must nmcli connection delete nowhere
must nm-ib name set ib1 later --no-initramfs
must nmcli connection add type infiniband con-name waits ifname later connection.autoconnect yes
check "name for the next boot, and a profile that uses it: name-at-next-boot, exit 0" eventually doctor_finds name-at-next-boot 0
check "profile that uses the name of the next boot: no finding" doctor_content waits
must nmcli connection delete waits
must nm-ib name unset later --no-initramfs
must nmcli connection add type ethernet con-name wrong ifname ib0 connection.autoconnect no
check "Ethernet profile for an InfiniBand port: ethernet-profile-on-infiniband, exit 4" eventually doctor_finds ethernet-profile-on-infiniband 4
check "Ethernet profile for an InfiniBand port: the command shows the addresses for a new profile" eval "prints_only hands doctor_field mended_by && prints ipv4.method doctor_mend"
must nmcli connection delete wrong
must nmcli connection add type bond con-name bond0 ifname bond0 bond.options mode=802.3ad,lacp_rate=fast,miimon=50 connection.autoconnect no ipv4.method disabled ipv6.method disabled
must nmcli connection add type infiniband con-name port0 ifname ib1 master bond0 connection.autoconnect no
check "bond of InfiniBand ports in mode 802.3ad: bond-not-active-backup, exit 4" eventually doctor_finds bond-not-active-backup 4
check "bond of InfiniBand ports in mode 802.3ad: the command fixes it" eval "doctor_mend && eventually doctor_healthy"
must nmcli connection delete port0 bond0
must nmcli connection modify storage infiniband.mac-address "$(cat /sys/class/net/ib1/address)"
check "profile with the mac-address of another port: profile-for-other-port, exit 4" eventually doctor_finds profile-for-other-port 4
check "profile with the mac-address of another port: the command fixes it" eval "doctor_mend && eventually doctor_healthy"
mkdir -p /etc/nm-infiniband/profiles
echo >/etc/nm-infiniband/profiles/0c0ffee0-0000-4000-8000-000000000001
check "words of a deleted profile: words-without-profile, exit 1" doctor_finds words-without-profile 1
check "words of a deleted profile: the command fixes it" eval "doctor_mend && doctor_healthy"
must nmcli connection modify storage infiniband.mtu 4092
must up storage
check "MTU that the subnet does not allow: mtu-limited, exit 1" eventually doctor_finds mtu-limited 1
must nmcli connection modify storage infiniband.mtu 0
enhanced=$(basename "$(ls -d /sys/class/infiniband/mlx5_0/device/net/* | head -1)")
must nmcli connection add type infiniband con-name enhanced ifname "$enhanced" transport-mode connected connection.autoconnect no
check "connected mode on enhanced IPoIB: connected-impossible, exit 1" eventually doctor_finds connected-impossible 1
check "connected mode on enhanced IPoIB: --fix fixes it" eval "fixes && doctor_finds '' 0"
must nmcli connection delete enhanced

printf '[connection]\nid=byhand\nuuid=%s\ntype=infiniband\ninterface-name=ib1\nautoconnect=false\n[infiniband]\ntransport-mode=datagram\n' "$(cat /proc/sys/kernel/random/uuid)" >$keyfile
chmod 644 $keyfile
check "keyfile that others may read: keyfile-permissions, exit 4" eventually doctor_finds keyfile-permissions 4
check "keyfile that others may read: --fix without a terminal and --yes: one line, exit 2" prints -s 2 -2 'Error: --fix: no terminal for the question' nm-ib doctor --fix
check "keyfile that others may read: --fix --yes fixes it" eval "fixes && doctor_finds '' 0"
check "keyfile that others may read, after --fix: the profile is loaded" nmcli -g connection.id connection show byhand
chmod 644 $keyfile
check "loaded keyfile that others may read: keyfile-permissions, exit 4" doctor_finds keyfile-permissions 4
check "loaded keyfile that others may read: --fix --yes fixes it" eval "fixes && doctor_finds '' 0"
sed -i s/datagram/datagran/ $keyfile
check "loaded keyfile with a new mistake: keyfile-broken, exit 4" doctor_finds keyfile-broken 4
sed -i s/datagran/datagram/ $keyfile
must nmcli connection delete byhand
printf '[connection]\nid=byhand\nuuid=%s\ntype=infiniband\ninterface-name=ib1\nautoconnect=false\n[infiniband]\ntransport-mode=sideways\n' "$(cat /proc/sys/kernel/random/uuid)" >$keyfile
chmod 600 $keyfile
check "keyfile with a wrong mode: keyfile-broken, exit 4" eventually doctor_finds keyfile-broken 4
check "keyfile with a wrong mode: names the property" prints transport-mode doctor_field seen
sed -i s/sideways/datagram/ $keyfile
check "keyfile not loaded: keyfile-not-loaded, exit 1" eventually doctor_finds keyfile-not-loaded 1
cp -p $keyfile ${keyfile/byhand/copy}
check "keyfile and its copy, neither loaded: one keyfile-not-loaded, exit 1" doctor_finds keyfile-not-loaded 1
check "keyfile and its copy, neither loaded: --fix fixes it" eval "fixes && doctor_finds '' 0"
check "copy with the UUID of a loaded keyfile: no finding" doctor_healthy
rm -f ${keyfile/byhand/copy}
must nmcli connection modify --temporary byhand connection.zone lab
check "keyfile in /etc below a temporary one in /run: no finding" eval "ls /run/NetworkManager/system-connections/*byhand* && doctor_healthy"
below=/usr/lib/NetworkManager/system-connections/byhand.nmconnection
mkdir -p "${below%/*}"
must nmcli connection modify byhand connection.zone ''
cp -p $keyfile $below
check "keyfile in /usr/lib below one in /etc with its UUID: no finding" doctor_healthy
must nmcli connection reload
must nmcli connection delete byhand
check "keyfile in /usr/lib whose profile was deleted: no finding" eval "test -e $below && not nmcli connection show byhand && doctor_healthy"
rm $below
