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
check "healthy machine: counts the ports and profiles" eval "nm-ib doctor | grep -Fx 'No problem found (ports: 4, profiles: 2).'"
check "healthy machine, unprivileged user: names the checks that need root" eval "setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib doctor | grep '^Not root: limits, '"
port_state mlx4_0 2 down
check "port down that no profile uses: no finding" eventually doctor_healthy
check "port down that no profile uses, named by the command: port-polling" eval "nm-ib doctor mlx4_0/2 | grep -F '[port-polling]'"
port_state mlx4_0 2 active
# softhca cannot be disabled
check "port-disabled: the arguments of its ibportstate command reach the port" eval "ibportstate -C mlx4_0 -P 2 -D 0 2 query | grep -F '0 port 2'"

port_state mlx4_0 1 down
check "port of a profile without a cable: port-polling, exit 4" eventually doctor_finds port-polling 4
check "port of a profile without a cable: names the interfaces that depend on it" eventually eval "doctor_finds port-polling 4; is \"\$(doctor_field consequences)\" 'ib0 ib0.8002'"
check "port without a cable: found by the name of a profile" eval "nm-ib doctor lnet | grep -F '[port-polling]'"
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
check "subnet manager lost: names the sminfo command" eval "nm-ib doctor | grep -Ex ' +sminfo -C mlx4_0 -P 1'"
hca smlid mlx4_0 1 4095
check "subnet manager back: no finding" eventually doctor_healthy

must rmmod ib_umad
check "ib_umad not loaded: no-umad-module, exit 1" doctor_finds no-umad-module 1
check "ib_umad not loaded: the command fixes it" eval "doctor_mend && doctor_healthy"
check "subnet manager lost, unprivileged user: subnet-manager-lost" eval "hca smlid mlx4_0 1 0; setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib doctor | grep -F '[subnet-manager-lost]'"
hca smlid mlx4_0 1 4095
check "argument that names no port: one line, exit 10" eval "nm-ib doctor ib77 2>/run/err; is \"\$? \$(grep -cE '^(Error|Usage): ' /run/err)\" '10 1'"
check "options for tables with commands that print none: one line, exit 2" eval "for w in '-t doctor' '-f X plan'; do nm-ib \$w 2>/run/err; is \"\$? \$(grep -cE '^(Error|Usage): ' /run/err)\" '2 1' || exit; done"
check "unknown option: one line, exit 2" eval "nm-ib doctor --nonsense 2>/run/err; is \"\$? \$(grep -cE '^(Error|Usage): ' /run/err)\" '2 1'"
fabric_unload
must nmcli connection modify lnet connection.autoconnect no
check "HCA gone: profile-without-device, exit 4" eventually doctor_finds profile-without-device 4
check "HCA gone: names the profiles with autoconnect" eval "doctor_field seen | grep 'profiles wait for one: storage$'"
check "HCA gone, another profile named by the command: profile-without-device" eval "doctor_text lnet | grep 'profiles wait for one: lnet .profile-without-device'"
must nmcli connection modify storage connection.autoconnect no
check "HCA gone, no profile with autoconnect: no finding" eventually doctor_healthy
fabric name=mlx4_0,mlx4_1 rev=0xb0
nm_stop
check "NetworkManager stopped: no finding" eventually doctor_healthy
check "NetworkManager stopped: nm-ib apply of a profile ends with 8, like nmcli" eval "nm-ib apply storage 2>/run/err; is \"\$? \$(grep -cE '^(Error|Usage): ' /run/err)\" '8 1'"
fabric_unload
check "no HCA and no NetworkManager: doctor reports both, exit 0" eval "doctor_finds '' 0 && nm-ib doctor | grep -x 'No RDMA device found.' && nm-ib doctor | grep '^NetworkManager is not running'"
must rmmod ib_ipoib
insmod "$JOB/softhca.ko" ports=1
port_state mlx4_0 1 down
check "port without an interface, named by the command: port-polling" eval "nm-ib doctor mlx4_0/1 | grep -F '[port-polling]'"
port_state mlx4_0 1 active
check "ib_ipoib not loaded, and no profile is known: no finding" doctor_finds '' 0
nm_start
check "ib_ipoib not loaded: no-ipoib-module, exit 4" doctor_finds no-ipoib-module 4
check "ib_ipoib not loaded: names the port" eval "doctor_field seen | grep -F mlx4_0/1"
check "ib_ipoib not loaded: the command fixes it" eval "doctor_mend && udevadm settle && doctor_finds '' 0"
