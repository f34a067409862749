# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor reports a rdma.roce-tos without a priority, and a priority without flow control, and nothing without DCB
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe -a rdma_ucm rdma_rxe ib_umad
roce_fabric
nm_start

# finds LEVEL:ID...: exactly these findings about RoCE
finds() { doctor_shows '[.findings[] | select(.id | startswith("roce-tos") or startswith("roce-no")) | .severity + ":" + .id] | join(" ") == "'"$1"'"'; }

ethernet e0 eth0 10.9.0.1/24 rdma.roce-tos 106
expect_up e0
expect_roce mlx4_0 2 tos 106
check "the type of service alone: the kernel has no priority for its DSCP" is "$(dcb -j app show dev eth0)" '{}'
check "type of service without a priority: roce-tos-unmapped, a warning" finds warning:roce-tos-unmapped
check "type of service without a priority: found by the name of the profile" prints 'the DSCP 26 (rdma.roce-tos)' doctor_text e0
must dcb app add dev eth0 dscp-prio 24:3
check "another DSCP has a priority: roce-tos-unmapped" finds warning:roce-tos-unmapped
must dcb app add dev eth0 dscp-prio 26:3
check "DSCP with a priority, no flow control: roce-no-pfc, a note" finds note:roce-no-pfc
must dcb pfc set dev eth0 prio-pfc 2:on
check "flow control of another priority: roce-no-pfc" finds note:roce-no-pfc
must ethtool -A eth0 rx on tx on
check "pause frames: no finding" finds ''
must ethtool -A eth0 rx off tx off
must dcb pfc set dev eth0 prio-pfc 3:on
check "flow control of the priority: no finding" finds ''
must dcb app del dev eth0 dscp-prio 26:3
must dcb app add dev eth0 dgram-port-prio 4791:3
check "priority of the UDP port: no finding" finds ''
must dcb app flush dev eth0
mv /usr/sbin/dcb /usr/sbin/dcb.away
check "no program dcb: no finding" finds ''
mv /usr/sbin/dcb.away /usr/sbin/dcb
check "dcb again: roce-tos-unmapped" finds warning:roce-tos-unmapped
must nm-ib connection modify e0 rdma.roce-mode v1
check "RoCE v1, which has no DSCP: no finding" finds ''
must nm-ib connection modify e0 rdma.roce-mode '' rdma.roce-tos ''
check "no type of service: no finding" finds ''

must ip link add ve0 type veth peer name ve1
must ip link set ve1 up
must nm-ib connection add type ethernet con-name v ifname ve0 autoconnect no ipv4.method manual ipv4.addresses 10.9.7.1/24 ipv6.method disabled \
    rdma.soft-rdma rxe rdma.roce-tos 106
nmcli device set ve0 managed yes
expect_up v
check "Soft-RoCE: dcb reports that the driver has no DCB" not dcb app show dev ve0
check "Soft-RoCE, type of service: no finding" eventually eval "prints rxe_ve0 nm-ib port && finds ''"
expect_nm_alive
expect_clean_kernel_log
