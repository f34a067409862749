# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor reports the lowest layer that fails on a port, with its consequences, and nothing on healthy machines
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric name=mlx4_0,mlx4_1 rev=0xb0
nm_start
profile storage ifname ib0 connection.autoconnect yes
child lnet ib0 0x8002 connection.autoconnect yes
must up storage
must up lnet
expect_carrier ib0.8002 1

check "healthy machine: no finding" eventually doctor_healthy
check "healthy machine: counts the ports and profiles" prints -x 'No problem found (ports: 4, profiles: 2).' nm-ib doctor
check "healthy machine, unprivileged user: names the checks that need root" prints -E '^Not root: limits, ' setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib doctor
port_state mlx4_0 2 down
check "port down that no profile uses: no finding" eventually doctor_healthy
check "port down that no profile uses, named by the command: port-polling" prints -s 4 '[port-polling]' nm-ib doctor mlx4_0/2
port_state mlx4_0 2 active
# softhca cannot be disabled
check "port-disabled: the arguments of its ibportstate command reach the port" prints '0 port 2' ibportstate -C mlx4_0 -P 2 -D 0 2 query

port_state mlx4_0 1 down
check "port of a profile without a cable: port-polling, exit 4" eventually doctor_finds port-polling 4
check "port of a profile without a cable: names the interfaces that depend on it" eventually json_is 'ib0 ib0.8002' -s 4 '.findings[] | select(.id == "port-polling").consequences | join(" ")' nm-ib doctor --json
check "port without a cable: found by the name of a profile" prints -s 4 '[port-polling]' nm-ib doctor lnet
port_state mlx4_0 1 init
hca smlid mlx4_0 1 0
check "port in state Init, no subnet manager: no-subnet-manager, exit 4" eventually doctor_finds no-subnet-manager 4
port_state mlx4_0 1 armed
hca smlid mlx4_0 1 4095
check "port stays Armed: port-not-active, exit 4" eventually doctor_finds port-not-active 4
port_state mlx4_0 1 active
check "port Active again: no finding" eventually doctor_healthy
hca smlid mlx4_0 1 0
check "subnet manager lost: subnet-manager-lost, exit 1" eventually doctor_finds subnet-manager-lost 1
check "subnet manager lost: names the sminfo command" prints -s 1 -E -x ' +sminfo -C mlx4_0 -P 1' nm-ib doctor
hca smlid mlx4_0 1 4095
check "subnet manager back: no finding" eventually doctor_healthy

must rmmod ib_umad
check "ib_umad not loaded: no-umad-module, exit 1" doctor_finds no-umad-module 1
check "ib_umad not loaded: the command fixes it" eval "doctor_mend && doctor_healthy"
hca smlid mlx4_0 1 0
check "subnet manager lost, unprivileged user: subnet-manager-lost" prints -s 1 '[subnet-manager-lost]' setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib doctor
hca smlid mlx4_0 1 4095
check "argument that names no port: one line, exit 10" refused_with 10 'ib77: no such port, interface of a port, or profile' nm-ib doctor ib77
for words in '-t doctor' '-f X plan'; do
    # shellcheck disable=SC2086 # words
    check "nm-ib $words, which prints no table: one line, exit 2" refused_with 2 'Error: -t, -f and -g: only for tables' nm-ib $words
done
check "unknown option: one line, exit 2" refused_with 2 "Error: unknown option '--nonsense'" nm-ib doctor --nonsense
fabric_unload
must nmcli connection modify lnet connection.autoconnect no
check "HCA gone: profile-without-device, exit 4" eventually doctor_finds profile-without-device 4
check "HCA gone: names the profiles with autoconnect" prints -E 'profiles wait for one: storage$' doctor_field seen
check "HCA gone, another profile named by the command: profile-without-device" prints -E 'profiles wait for one: lnet .profile-without-device' doctor_text lnet
must nmcli connection modify storage connection.autoconnect no
check "HCA gone, no profile with autoconnect: no finding" eventually doctor_healthy
fabric name=mlx4_0,mlx4_1 rev=0xb0
nm_stop
check "NetworkManager stopped: no finding" eventually doctor_healthy
check "NetworkManager stopped: nm-ib apply of a profile ends with 8, like nmcli" refused_with 8 'NetworkManager is not running' nm-ib apply storage
fabric_unload
check "no HCA and no NetworkManager: doctor reports both, exit 0" eval "doctor_finds '' 0 && prints -x 'No RDMA device found.' nm-ib doctor && prints -E '^NetworkManager is not running' nm-ib doctor"
must rmmod ib_ipoib
insmod "$JOB/softhca.ko" ports=1
port_state mlx4_0 1 down
check "port without an interface, named by the command: port-polling" prints -s 4 '[port-polling]' nm-ib doctor mlx4_0/1
port_state mlx4_0 1 active
check "ib_ipoib not loaded, and no profile is known: no finding" doctor_finds '' 0
nm_start
check "ib_ipoib not loaded: no-ipoib-module, exit 4" doctor_finds no-ipoib-module 4
check "ib_ipoib not loaded: names the port" prints mlx4_0/1 doctor_field seen
check "ib_ipoib not loaded: the command fixes it" eval "doctor_mend && udevadm settle && doctor_finds '' 0"
