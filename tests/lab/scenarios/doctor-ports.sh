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
# finds ID... EXIT: just these, in this order, and that exit code
finds() {
    local code=0 ids
    nm-ib doctor --json >/run/found || code=$?
    ids=$(python3 -c 'import json; print(*[f["id"] for f in json.load(open("/run/found"))["findings"]])')
    is "$ids $code" "$*"
}
healthy() { is "$(nm-ib doctor)" "Nothing is wrong." && finds "" 0; }
field() { python3 -c 'import json, sys; print(json.load(open("/run/found"))["findings"][0][sys.argv[1]])' "$1"; }

check "a healthy machine" eventually healthy
port_state mlx4_0 2 down
check "a port that nobody asks for needs no cable" eventually healthy
check "  but one who asks for it hears" eval "nm-ib doctor mlx4_0/2 | grep -F '[port-polling]'"
port_state mlx4_0 2 active

port_state mlx4_0 1 down
check "no cable" eventually finds port-polling 2
check "  and what follows" eventually eval "finds port-polling 2; is \"\$(field consequences)\" \"['ib0', 'ib0.8002']\""
port_state mlx4_0 1 init
hca smlid mlx4_0 1 0
check "no subnet manager" eventually finds no-subnet-manager 2
port_state mlx4_0 1 armed
hca smlid mlx4_0 1 4095
check "a subnet manager that does not end" eventually finds port-not-active 2
port_state mlx4_0 1 active
check "all is well again" eventually healthy
hca smlid mlx4_0 1 0
check "a subnet manager that is lost" eventually finds subnet-manager-lost 1
check "  only a warning, with what mends it" eval "nm-ib doctor | grep -E '^ +=> .*sminfo -C mlx4_0'"
hca smlid mlx4_0 1 4095
check "all is well again" eventually healthy

hca pkey mlx4_0 1 2 0
check "a P_Key that the table has no more" eventually finds pkey-not-in-table 2
check "  of that child" is "$(field where)" ib0.8002
hca pkey mlx4_0 1 2 0x0002
hca event mlx4_0 1 rereg
check "a limited member" eventually finds pkey-limited 1
hca pkey mlx4_0 1 2 0x8002
hca event mlx4_0 1 rereg
check "all is well again" eventually healthy

echo 0x8003 >/sys/module/softhca/parameters/deny_pkeys
child denied ib0 0x8003
nmcli -w 3 connection up denied >/dev/null 2>&1
check "a broadcast group that nobody may join" eventually finds no-broadcast-group 2
check "  of that child" is "$(field where)" ib0.8003
must nmcli connection delete denied
check "all is well again" eventually healthy

port_state mlx4_0 2 active
must ip address add 10.5.0.1/24 dev ib0
must ip link set ib1 up
must ip address add 10.5.0.2/24 dev ib1
check "two interfaces in one IP subnet" eventually finds same-subnet 1
for link in ib0 ib1; do sysctl -qw net.ipv4.conf.$link.arp_ignore=1 net.ipv4.conf.$link.arp_announce=2 net.ipv4.conf.$link.rp_filter=2; done
check "  not where somebody has thought of it" healthy
must ip address flush dev ib1

must rmmod ib_umad
check "without ib_umad" finds no-umad-module 1
modprobe ib_umad
check "an ordinary user is told the same" eval "hca smlid mlx4_0 1 0; setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib doctor | grep -F '[subnet-manager-lost]'"
hca smlid mlx4_0 1 4095
check "a word that is no port: one line, exit 10" eval "nm-ib doctor ib77 2>/run/err; is \"\$? \$(wc -l </run/err)\" '10 1'"
check "a mistake: one line, exit 2" eval "nm-ib doctor --nonsense 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1'"
nm_stop
check "without NetworkManager" eventually healthy
fabric_unload
check "without an HCA" healthy
must rmmod ib_ipoib
insmod "$JOB/softhca.ko" ports=1
check "without ib_ipoib" finds no-ipoib-module 2
check "  the command mends it" eval "$(field mend | sed 's/;.*//') && udevadm settle && finds '' 0"
