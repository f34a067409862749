# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rping and ib_send_bw pass between the RDMA devices that two profiles made on a veth pair
# with: dispatcher+cli
# releases: bookworm (trixie)
# alone: there is no device
. ./lib.sh
nm_start
modprobe rdma_ucm
must ip link add ve0 type veth peer name ve1
for i in 0 1; do
    must nm-ib connection add type ethernet con-name v$i ifname ve$i autoconnect no ipv6.method disabled \
        ipv4.method manual ipv4.addresses 10.9.0.$((i + 1))/24 rdma.soft-rdma rxe rdma.roce-tos 32
    nmcli device set ve$i managed yes
done
for i in 0 1; do expect_up v$i; done
check "rdma.soft-rdma on both ends: both devices exist" eventually_is $'rxe_ve0\nrxe_ve1' ls /sys/class/infiniband
# Both ends belong to this machine, but packets to the other end's address must use the wire.
sysctl -qw net.ipv4.conf.{all,ve0,ve1}.rp_filter=0 net.ipv4.conf.{ve0,ve1}.accept_local=1
for i in 0 1; do ip rule add pref 1$i iif ve$i lookup local; done
ip route add 10.9.0.2 dev ve0 src 10.9.0.1 table 100
ip route add 10.9.0.1 dev ve1 src 10.9.0.2 table 100
ip rule add pref 20 lookup 100
ip rule add pref 30 lookup local
ip rule del pref 0
check "ping: crosses the veth pair" eventually ping -c 1 -W 2 -I 10.9.0.1 10.9.0.2
received() { cat $NET/ve1/statistics/rx_bytes; }
before=$(received)
rping -s -a 10.9.0.2 -C 10 >/dev/null 2>&1 &
check "rping: passes" eventually timeout 20 rping -c -a 10.9.0.2 -I 10.9.0.1 -C 10
ib_send_bw -F -R -d rxe_ve1 -n 200 -s 4096 >/run/server 2>&1 &
sleep 1
check "ib_send_bw: passes" eventually eval "timeout 30 ib_send_bw -F -R -d rxe_ve0 -n 200 -s 4096 10.9.0.2 >/run/bw 2>&1 || { cat /run/bw /run/server; false; }"
note "ib_send_bw: $(grep -E '^ *4096' /run/bw)"
check "rping and ib_send_bw: at least 800 kB crossed the veth pair" eval "[ $(($(received) - before)) -gt 800000 ]"
tos() {
    mkdir /sys/kernel/config/rdma_cm/"$1"
    cat /sys/kernel/config/rdma_cm/"$1"/ports/1/default_roce_tos
    rmdir /sys/kernel/config/rdma_cm/"$1"
}
check "rdma.roce-tos, device made during 'up': applied" eventually eval 'is "$(tos rxe_ve0) $(tos rxe_ve1)" "32 32"'
for i in 0 1; do
    must nm-ib connection modify v$i rdma.roce-tos ''
    must nmcli device reapply ve$i
done
check "rdma.roce-tos, device made during 'up': removing the word restores the value from before" eventually eval 'is "$(tos rxe_ve0) $(tos rxe_ve1)" "0 0"'
expect_nm_alive
expect_clean_kernel_log
