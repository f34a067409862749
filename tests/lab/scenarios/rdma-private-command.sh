# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib refuses rdma.* words in a profile with connection.permissions; only root can read files that name profiles
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe rdma_ucm
useradd alice
fabric name=mlx5_0,mlx5_1 ports=1 eth=0,1 driver=mlx5_core devid=0x1017
nm_manages_ethernet
nm_start
ethernet e eth0 10.9.0.1/24
profile i ifname ib0 transport-mode datagram
permit() { must nmcli connection modify "$1" connection.permissions "$2"; }
refusal='rdma.\* words are refused in a profile with connection.permissions: the words change the machine for all users. Make connection.permissions empty, or remove the words'
refused() { # exit 2, one line, nothing is stored
    local code=0
    nm-ib connection "$@" >/run/out 2>/run/err || code=$?
    is "$code $(wc -c </run/out) $(grep -cE '^(Error|Usage): ' /run/err)" '2 0 1' && grep "^Error: $refusal.$" /run/err && is "$(cat /etc/NetworkManager/system-connections/* | md5sum)" "$have"
}
permit e user:alice
have=$(cat /etc/NetworkManager/system-connections/* | md5sum)
check "modify, word in a private profile: refused" refused modify e rdma.roce-tos 96
check "modify, permissions and a word in one call: refused" refused modify i connection.permissions user:alice rdma.vf-guids auto
check "add, permissions and a word: refused" refused add type ethernet con-name x ifname eth0 connection.permissions user:alice rdma.roce-tos 96
check "modify, words and empty permissions in one call: accepted" nm-ib connection modify e connection.permissions '' rdma.roce-tos 96

# Only root can read files that name profiles; commands of other users work without these files.
expect_up e
kept=/run/NetworkManager/nm-infiniband/rdma-$(cat $NET/eth0/ifindex)
check "state file of the words: mode 600" eventually_is 600 stat -c %a $kept
must nmcli connection modify i infiniband.mtu 4092
expect_up i
has plugin || check "state file of the logged lines: mode 600" eventually_is 600 stat -c %a /run/NetworkManager/nm-infiniband/logged-ib0 # the plugin keeps none
unreadable_for_alice() {
    local file files=()
    for file in /run/NetworkManager/nm-infiniband/{rdma,logged}-*; do
        [ ! -e "$file" ] || files+=("$file")
    done
    [ ${#files[@]} != 0 ] || { echo "no state file"; return 1; }
    for file in "${files[@]}"; do prints_only -s 1 '' runuser -u alice -- cat "$file" || return; done
}
check "unprivileged user: cannot read state files that name profiles" unreadable_for_alice
check "unprivileged user: plan works" eval "runuser -u alice -- nm-ib plan >/run/out 2>/run/err && grep '^ib0 ' /run/out && [ ! -s /run/err ]"
check "unprivileged user: plan of a profile works" eval "runuser -u alice -- nm-ib plan e >/run/out 2>/run/err && [ ! -s /run/err ]"
expect_nm_alive
expect_clean_kernel_log
