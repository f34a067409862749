# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor distinguishes causes: modules of another kernel, bridges and VLANs, no DHCP server, leftover children
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe -a ib_umad rdma_ucm
fabric name=mlx4_0 rev=0xb0 ports=2
nm_start
profile storage ifname ib0 connection.autoconnect yes
must up storage
check "healthy machine: no finding" eventually doctor_healthy

# modules: the lists of this kernel and of another one
lists=/lib/modules/$(uname -r)
other=/lib/modules/0.0.1-other
cp "$lists/modules.dep" /run/modules.dep
hide() { grep -v "$1" /run/modules.dep >"$lists/modules.dep"; }
must rmmod ib_umad
hide ib_umad.ko
check "ib_umad in no installed kernel: module-not-built" doctor_finds module-not-built 1
mkdir -p $other && cp /run/modules.dep $other/modules.dep
check "ib_umad only for another kernel: module-of-other-kernel" doctor_finds module-of-other-kernel 1
check "ib_umad only for another kernel: names both kernels" eval "doctor_field seen | grep -F \"\$(uname -r)\" | grep -F 0.0.1-other"
cp /run/modules.dep "$lists/modules.dep"
check "ib_umad loaded although no list has it: no finding" eval "modprobe ib_umad && hide ib_umad.ko && doctor_healthy"
cp /run/modules.dep "$lists/modules.dep" && rm -r $other

# what InfiniBand cannot carry, before the activation
must nmcli connection add type bridge con-name br0 ifname br0 autoconnect no ipv4.method disabled ipv6.method disabled
check "profile of an InfiniBand bridge port: NetworkManager accepts it" nmcli connection add type infiniband con-name brport ifname ib1 autoconnect no connection.master br0 connection.slave-type bridge
check "profile of an InfiniBand bridge port: not-carried, exit 4" doctor_finds not-carried 4
check "profile of an InfiniBand bridge port: plan refuses it" prints '"refusal":{"id":"not-carried"' nm-ib plan brport --json
must nmcli connection delete brport
must nmcli connection delete br0
must nmcli connection add type vlan con-name tagged ifname ib1.7 dev ib1 id 7 autoconnect no ipv4.method disabled ipv6.method disabled
check "VLAN on InfiniBand: not-carried, exit 4" doctor_finds not-carried 4
check "VLAN on InfiniBand: the kernel refuses it" not nmcli -w 20 connection up tagged
must nmcli connection delete tagged

# no DHCP server
must nmcli connection add type infiniband con-name lease ifname ib1 ipv4.method auto ipv4.dhcp-timeout 3 ipv4.may-fail no ipv6.method disabled
eventually eval "journalctl -b -u NetworkManager -o cat | grep -F '(ib1): state change: ip-config -> failed'"
check "no DHCP server: no-dhcp-answer, exit 4" eventually doctor_finds no-dhcp-answer 4
guid=$(cut -c 37-59 /sys/class/net/ib1/address)
check "no DHCP server: shows the client identifier of the port" prints "20:$guid" doctor_field why
must nmcli connection delete lease

# a child without a profile
echo 0x8003 >/sys/class/net/ib1/create_child
check "child without a profile: a note, exit 0" eventually doctor_finds child-without-profile 0
must ip link delete ib1.8003
check "the child deleted: no finding" eventually doctor_healthy

# RDMA devices of one namespace only: no other namespace may exist before
eventually rdma system set netns exclusive
check "RDMA devices of this namespace only: no finding" eventually doctor_healthy
