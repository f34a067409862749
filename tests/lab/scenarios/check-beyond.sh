# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib check: a peer with a smaller MTU, RoCE, VLAN, bond, missing tools, wrong arguments
# with: cli
# releases: bookworm (trixie)
# files: check_peer.sh
. ./lib.sh
. ./check_peer.sh
# The peer's port receives at most 2048 bytes, in a group of 4096.
fabric name=mlx4_0,mlx4_1 ports=1 rev=0xb0 active_mtu=4096,2048 max_mtu=4096,2048 group_mtu=4096
two_ends
expect_mtu ib0 4092
check "check, peer with a smaller MTU: the large ping fails, exit 4" eventually check_finds "$check_start ping:ok large-ping:failed" 4 $PEER
check "check, peer with a smaller MTU: reports the size that passes" check_said 'of 4092 bytes are not answered, packets of 2044 bytes are'

modprobe rdma_rxe
must ip link add ve0 type veth peer name ve1 netns peer
must ip address add 10.9.0.1/24 dev ve0
must ip -n peer address add 10.9.0.2/24 dev ve1
must ip link set ve0 up
must ip -n peer link set ve1 up
must rdma link add rxe_ve0 type rxe netdev ve0
check "check over the Ethernet interface of a RoCE port: all steps pass" eventually eval "check_finds '$check_start ping:ok large-ping:ok' 0 10.9.0.2 --no-iperf && check_said 'over ve0 .rxe_ve0/1, MTU 1500'"
must ip link add link ve0 name ve0.5 type vlan id 5
must ip -n peer link add link ve1 name ve1.5 type vlan id 5
must ip address add 10.9.5.1/24 dev ve0.5
must ip -n peer address add 10.9.5.2/24 dev ve1.5
must ip link set ve0.5 up
must ip -n peer link set ve1.5 up
check "check over a VLAN on a RoCE port: all steps pass" eventually eval "check_finds '$check_start ping:ok large-ping:ok' 0 10.9.5.2 --no-iperf && check_said 'over ve0.5 .rxe_ve0/1'"
must ip address flush dev ib0
must ip link set ib0 down
must ip link add bond0 type bond mode active-backup miimon 100 fail_over_mac active
must ip link set ib0 master bond0
must ip address add 192.0.2.1/24 dev bond0
must ip link set bond0 mtu 2044 up
check "check over a bond of IPoIB interfaces: all steps pass" eventually eval "check_finds '$check_start ping:ok large-ping:ok' 0 $PEER --no-iperf && check_said 'over bond0 .mlx4_0/1, datagram'"

mkdir /run/few
ln -s "$(command -v ping)" /run/few/ping
check "check without iperf3: exit 0, and names the package to install" eval "PATH=/run/few $(command -v nm-ib) check $PEER >/run/text; is \$? 0 && grep -F 'Install the package iperf3' /run/text"
check "check without ping: exit 0, and names the package to install" eval "PATH=/nowhere $(command -v nm-ib) check $PEER >/run/text; is \$? 0 && grep -F 'Install the package iputils-ping (Debian), iputils (RHEL)' /run/text"

for words in "" "--nonsense" "-x" "-- $PEER" "$PEER extra" "$PEER --time 0" "$PEER --at-least 101"; do
    text='Usage: nm-ib check'
    [[ $words != $PEER\ --* ]] || text='--time takes 1 to 3600, --at-least takes 0 to 100'
    check "check with wrong arguments ($words): one line, exit 2" refused_with 2 "$text" nm-ib check $words
done
check "check with an unknown host name: one line, exit 10" refused_with 10 'Error: no.such.invalid: ' nm-ib check no.such.invalid
must sysctl -qw net.ipv4.ping_group_range='0 2147483647' # systemd's own sysctl file sets this; ping may need it
check "check as an unprivileged user: the large ping passes" eventually prints -x large-ping:ok setpriv --reuid 65534 --regid 65534 --clear-groups nm-ib -t -f STEP,RESULT check $PEER --no-iperf
check "check with an unknown field: exit 2" refused_with 2 "invalid field 'nonsense'" nm-ib -t -f nonsense check $PEER
expect_clean_kernel_log
