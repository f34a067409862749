# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the soft HCA: identities, modes and MTUs, offloads, P_Keys, firmware requests, data, ports that change, a driver that refuses, virtual functions
# with: none
# tests: softhca
# releases: bookworm trixie
. ./lib.sh
again() { # KNOB=VALUE...
    fabric_unload
    check "softhca unloaded: no interface is left" no_file "$NET/ib*"
    fabric "$@"
}
set_mode() { echo "$2" >"$NET/$1/mode"; }
link_up() { must ip link set "$1" up; }
make_child() { must sh -c "echo $2 >$NET/$1/create_child"; } # LINK P_KEY

note "names, GUIDs, PCI identities and drivers"
fabric name=mlx4_0,mlx4_1,mlx4_2,mlx5_0 devid=0x634a,0x634a,0x1003,0x1017 rev=0xa0,0xb0,0,0 \
    driver=mlx4_core,mlx4_core,mlx4_core,mlx5_core enhanced=0,0,0,1 ports=2,1,2,1 \
    guid=0x0002c903000a0000,0x0002c903000b0000
identity() { cat "$NET/$1/device/"{vendor,device,revision} | tr '\n' ' '; basename "$(readlink "$NET/$1/device/driver")"; }
check "fabric of four HCAs: the four names in sysfs" is "$(ls /sys/class/infiniband | tr '\n' ' ')" "mlx4_0 mlx4_1 mlx4_2 mlx5_0 "
check "fabric of six ports: six interfaces" is "$(ls -d $NET/ib? | wc -l)" 6
check "mlx4_0: the link layer is InfiniBand" file_is InfiniBand /sys/class/infiniband/mlx4_0/ports/1/link_layer
check "ib0: the address has 20 bytes" is "$(tr -cd : <$NET/ib0/address | wc -c)" 19
while read -r link what id; do
    check "$link: PCI identity of $what" prints_only "$id" identity "$link"
done <<'END'
ib0 ConnectX-rev-a0 0x15b3 0x634a 0xa0 mlx4_core
ib2 ConnectX-rev-b0 0x15b3 0x634a 0xb0 mlx4_core
ib3 ConnectX-3 0x15b3 0x1003 0x00 mlx4_core
ib5 ConnectX-5 0x15b3 0x1017 0x00 mlx5_core
END
check "mlx4_0: hw_rev is a0" file_is a0 /sys/class/infiniband/mlx4_0/hw_rev
check "lspci lists the two ConnectX" is "$(lspci -n -d 15b3:634a | wc -l)" 2
check "mlx4_1: the given node GUID" file_is 0002:c903:000b:0000 /sys/class/infiniband/mlx4_1/node_guid
check "ib1: the port GUID is the node GUID plus the port number" prints_only 00:02:c9:03:00:0a:00:02 cut -d: -f13- $NET/ib1/address
check "ib1: dev_port is 1, the second port of its HCA" file_is 1 $NET/ib1/dev_port
check "mlx4_0: ibstat shows the port GUID" prints 'Port GUID: 0x0002c903000a0001' ibstat mlx4_0 1

note "the kernel's rules for transport mode and MTU"
again name=mlx4_0,mlx5_0 driver=mlx4_core,mlx5_core devid=0x634a,0x1017 rev=0xa0,0 enhanced=0,1
link_up ib0
expect_carrier ib0 1
expect_mtu ib0 2044
check "ib0: connected mode is accepted" set_mode ib0 connected
expect_mtu ib0 65520
check "ib0, connected: MTU 65521 is refused" ends 2 ip link set ib0 mtu 65521
check "ib0: datagram mode is accepted" set_mode ib0 datagram
expect_mtu ib0 2044
ip link set ib0 mtu 4092
expect_mtu ib0 2044
check "ib0, datagram: MTU 4093 is refused" ends 2 ip link set ib0 mtu 4093
check "ib2, enhanced IPoIB: connected mode is refused" ends 1 set_mode ib2 connected
check "ib2, enhanced IPoIB: the address has no RC bit" prints_only 00 cut -c1-2 $NET/ib2/address

note "a 4096 fabric allows 4092, a broadcast group of 2048 on it allows 2044"
again active_mtu=4096
link_up ib0
expect_carrier ib0 1
expect_mtu ib0 4092
again active_mtu=4096 group_mtu=2048
link_up ib0
expect_carrier ib0 1
expect_mtu ib0 2044

note "few scatter entries limit the connected MTU below 65520; virtual functions accept GUIDs"
again srq_sge=8 total_vfs=2
link_up ib0
set_mode ib0 connected
expect_mtu ib0 32752
check "ib0: MTU 65520 is refused" ends 2 ip link set ib0 mtu 65520
echo 2 >$NET/ib0/device/sriov_numvfs
check "ib0 vf 1: a node GUID is accepted" ip link set ib0 vf 1 node_guid 11:22:33:44:55:66:77:88
check "ib0 vf 1: ip link shows the node GUID" prints -E 'vf 1.*NODE_GUID 11:22:33:44:55:66:77:88' ip link show ib0

note "TSO and checksum offload for each HCA as given"
again name=mlx4_0,mlx4_1,mlx4_2 ports=1 lso=1,0,1 csum=1,1,0
csum_of() { ethtool -k "$1" | sed -n 's/^[[:space:]]*tx-checksum-ipv4: //p'; }
expect_tso ib0 on
expect_tso ib1 "off [fixed]"
expect_tso ib2 "off [fixed]"
check "ib1: checksum offload is on" prints_only on csum_of ib1
check "ib2: checksum offload is off and fixed" prints_only "off [fixed]" csum_of ib2
set_mode ib0 connected
expect_tso ib0 "off [requested on]"
check "ib0: TSO can be switched off in connected mode" ethtool -K ib0 tso off
set_mode ib0 datagram
expect_tso ib0 off
make_child ib0 0x8002
expect_tso ib0.8002 on

note "ports go down and up at run time; without a subnet manager there is no carrier"
again sm_absent=1
link_up ib0
check "ib0: no carrier without a subnet manager" never 3 not file_is 0 $NET/ib0/carrier
echo 0 >/sys/module/softhca/parameters/sm_absent
hca event mlx4_0 1 sm
hca event mlx4_0 1 rereg
expect_carrier ib0 1
port_state mlx4_0 1 down
expect_carrier ib0 0
check "mlx4_0: sysfs shows the port as DOWN" file_is "1: DOWN" /sys/class/infiniband/mlx4_0/ports/1/state
port_state mlx4_0 1 active
expect_carrier ib0 1
again init_down=1
link_up ib0
check "ib0: no carrier on a port that starts down" never 1 not file_is 0 $NET/ib0/carrier
port_state mlx4_0 1 active
expect_carrier ib0 1
check "softhca: a command for a port that does not exist is refused" ends 1 _cmd "state mlx4_0 3 active"

note "a port's driver refuses connected mode, although the address promises it, until the driver is set to allow it"
again
hca connected mlx4_0 1 refuse
link_up ib0
expect_carrier ib0 1
make_child ib0 0x8002
check "ib0: the address promises connected mode" prints_only 80 cut -c1-2 $NET/ib0/address
check "ib0: the driver refuses connected mode over sysfs" ends 1 set_mode ib0 connected
check "ib0: the driver refuses connected mode over rtnetlink" ends 2 ip link set ib0 type ipoib mode connected
check "ib0.8002: the driver refuses connected mode" ends 1 set_mode ib0.8002 connected
expect_mode ib0 datagram
expect_mode ib0.8002 datagram
expect_mtu ib0 2044
check "ib0: datagram mode is accepted" set_mode ib0 datagram
check "ib1: connected mode is accepted on the other port" set_mode ib1 connected
expect_mode ib1 connected
hca connected mlx4_0 1 allow
check "ib0: connected mode is accepted after the driver allows it" set_mode ib0 connected
expect_mode ib0 connected
check "ib0.8002: connected mode is accepted after the driver allows it" set_mode ib0.8002 connected

note "data crosses the fabric in both modes and both address families, but not between partitions"
again pkeys=0xffff,0x8001,0x8002
check "ib0: connected mode is accepted on a newly loaded fabric" set_mode ib0 connected
set_mode ib0 datagram
peer ib1 datagram 192.0.2.2/24 2001:db8::2/64
ip address add 192.0.2.1/24 dev ib0
ip address add 2001:db8::1/64 dev ib0 nodad
link_up ib0
expect_carrier ib0 1
expect_ping 192.0.2.2 2016
expect_ping 2001:db8::2
set_mode ib0 connected
in_peer sh -c "echo connected >$NET/ib1/mode"
expect_ping 192.0.2.2 65000
expect_ping 2001:db8::2 65000
in_peer sh -c "iperf3 -s -1 -D >/dev/null"
must eventually in_peer sh -c "ss -Hltn 'sport = 5201' | grep -q ."
check "TCP passes in connected mode" iperf3 -c 192.0.2.2 -t 1
make_child ib0 0x8002
ip address add 198.51.100.1/24 dev ib0.8002
link_up ib0.8002
expect_carrier ib0.8002 1
in_peer ip address add 198.51.100.2/24 dev ib1
check "ping from P_Key 0x8002 to the default partition: no answer" ends 1 ping -n -c 2 -i 0.2 -W 1 198.51.100.2

note "firmware requests: reads of a port are counted, those of a process with the name NetworkManager also on their own, and take the given time"
SOFTHCA=/sys/module/softhca/parameters
PORT=/sys/class/infiniband/mlx4_0/ports/1
# requests COMMAND...: how many requests it makes, in total and with the name NetworkManager
requests() {
    local all nm
    read -r all <$SOFTHCA/firmware_requests
    read -r nm <$SOFTHCA/firmware_requests_nm
    "$@" >/dev/null || return
    echo "$(($(<$SOFTHCA/firmware_requests) - all)) $(($(<$SOFTHCA/firmware_requests_nm) - nm))"
}
as_nm() { (printf NetworkManager >/proc/$BASHPID/comm && "$@"); }
values() { local f line; for f; do read -r line <"$f" || return; done; }
milliseconds() { local begin=${EPOCHREALTIME/./}; "$@" && echo $(((${EPOCHREALTIME/./} - begin) / 1000)); }
takes() { local ms; ms=$(milliseconds "${@:2}") && echo "$ms ms" && [ "$ms" -ge "$1" ]; } # MILLISECONDS COMMAND...: at least
check "three entries of the P_Key table: three requests" prints_only "3 0" requests values $PORT/pkeys/{0,1,2}
check "sm_lid, state and rate: three requests" prints_only "3 0" requests values $PORT/{sm_lid,state,rate}
check "P_Key table and sm_lid, read by a process with the name NetworkManager: two requests of this name" \
    prints_only "2 2" requests as_nm values $PORT/pkeys/0 $PORT/sm_lid
check "MTU, P_Key and carrier of ib0, and its first GID: no request" prints_only "0 0" requests as_nm values $NET/ib0/{mtu,pkey,carrier} $PORT/gids/0
echo 200000 >$SOFTHCA/firmware_us
check "firmware_us=200000: two requests take at least 400 ms" takes 400 values $PORT/pkeys/0 $PORT/sm_lid
check "firmware_us=200000: the MTU of ib0 takes less than one request" not takes 200 values $NET/ib0/mtu
echo 0 >$SOFTHCA/firmware_us

note "the P_Key table decides which child gets a carrier"
check "mlx4_0: the P_Key table is as given" file_is 0x8002 /sys/class/infiniband/mlx4_0/ports/1/pkeys/2
make_child ib0 0x8005
link_up ib0.8005
check "ib0.8005: no carrier without an entry in the P_Key table" never 2 not file_is 0 $NET/ib0.8005/carrier
hca pkey mlx4_0 1 3 0x8005
expect_carrier ib0.8005 1
check "a child can be made by rtnetlink" ip link add link ib0 name kid type ipoib pkey 0x8001 mode datagram
link_up kid
expect_carrier kid 1
expect_clean_kernel_log
