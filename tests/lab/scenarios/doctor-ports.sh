# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor blames the lowest layer that fails on a port, tells what follows, and says nothing of healthy machines
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

check "a healthy machine" eventually doctor_healthy
check "  and what was looked at" eval "nm-ib doctor | grep -Fx 'No problem found (ports: 4, profiles: 2).'"
check "  an ordinary user sees what only root looks at" eval "setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib doctor | grep '^Not root: limits, '"
port_state mlx4_0 2 down
check "a port that nobody asks for needs no cable" eventually doctor_healthy
check "  but one who asks for it hears" eval "nm-ib doctor mlx4_0/2 | grep -F '[port-polling]'"
port_state mlx4_0 2 active
# softhca cannot be disabled
check "the words of port-disabled's command reach the port itself" eval "ibportstate -C mlx4_0 -P 2 -D 0 2 query | grep -F '0 port 2'"

port_state mlx4_0 1 down
check "no cable" eventually doctor_finds port-polling 4
check "  and what follows" eventually eval "doctor_finds port-polling 4; is \"\$(doctor_field consequences)\" 'ib0 ib0.8002'"
check "the port of a profile, by the name of the profile" eval "nm-ib doctor lnet | grep -F '[port-polling]'"
port_state mlx4_0 1 init
hca smlid mlx4_0 1 0
check "no subnet manager" eventually doctor_finds no-subnet-manager 4
port_state mlx4_0 1 armed
hca smlid mlx4_0 1 4095
check "a subnet manager that does not end" eventually doctor_finds port-not-active 4
port_state mlx4_0 1 active
check "all is well again" eventually doctor_healthy
hca smlid mlx4_0 1 0
check "a subnet manager that is lost" eventually doctor_finds subnet-manager-lost 1
check "  only a warning, with what mends it" eval "nm-ib doctor | grep -Ex ' +sminfo -C mlx4_0 -P 1'"
hca smlid mlx4_0 1 4095
check "all is well again" eventually doctor_healthy

must rmmod ib_umad
check "without ib_umad" doctor_finds no-umad-module 1
check "without ib_umad: the command mends it" eval "doctor_mend && doctor_healthy"
check "an ordinary user is told the same" eval "hca smlid mlx4_0 1 0; setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib doctor | grep -F '[subnet-manager-lost]'"
hca smlid mlx4_0 1 4095
check "a word that is no port: one line, exit 10" eval "nm-ib doctor ib77 2>/run/err; is \"\$? \$(wc -l </run/err)\" '10 1'"
check "columns for what is no table: one line, exit 2" eval "for w in '-t doctor' '-f X plan'; do nm-ib \$w 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1' || exit; done"
check "a mistake: one line, exit 2" eval "nm-ib doctor --nonsense 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1'"
fabric_unload
must nmcli connection modify lnet connection.autoconnect no
check "the card is gone" eventually doctor_finds profile-without-device 4
check "  with the profiles that connect by themselves" eval "doctor_field seen | grep 'profiles wait for one: storage$'"
check "  another profile by its name" eval "doctor_text lnet | grep 'profiles wait for one: lnet .profile-without-device'"
must nmcli connection modify storage connection.autoconnect no
check "  no profile waits for one" eventually doctor_healthy
fabric name=mlx4_0,mlx4_1 rev=0xb0
nm_stop
check "without NetworkManager" eventually doctor_healthy
check "without NetworkManager, a profile: apply ends with 8, as nmcli" eval "nm-ib apply storage 2>/run/err; is \"\$? \$(wc -l </run/err)\" '8 1'"
fabric_unload
check "without an HCA" eval "doctor_finds '' 0 && nm-ib doctor | grep -x 'There is no RDMA device.' && nm-ib doctor | grep '^NetworkManager is not running'"
must rmmod ib_ipoib
insmod "$JOB/softhca.ko" ports=1
port_state mlx4_0 1 down
check "a port without an interface that is named" eval "nm-ib doctor mlx4_0/1 | grep -F '[port-polling]'"
port_state mlx4_0 1 active
check "without ib_ipoib" doctor_finds no-ipoib-module 4
check "  the command mends it" eval "doctor_mend && udevadm settle && doctor_finds '' 0"
