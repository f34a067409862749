# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the file of a profile's words: other clients, a new name, deletion, files that are refused
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
roce_fabric
modprobe rdma_ucm
useradd alice
nm_start
ethernet e eth0 10.9.0.1/24 rdma.roce-tos 96
uuid=$(nmcli -g connection.uuid connection show e)
words=/etc/nm-infiniband/profiles/$uuid
say() { nm-ib -g "rdma.$1" connection show "${2:-e}"; }
finding() { nm-ib doctor --json | jq -e ".findings[] | select(.id == \"$1\")"; }
stored() { cat /etc/NetworkManager/system-connections/* /etc/nm-infiniband/profiles/* | md5sum; }
refused() { # WORDS STATUS COMMAND...: one line, nothing is stored
    local before code=0
    before=$(stored)
    "${@:3}" >/run/out 2>/run/err || code=$?
    is "$code $(wc -l </run/err) $(stored)" "$2 1 $before" && grep -F -- "$1" /run/err
}
check "the words are in a file of root's" is "$(stat -c '%U %a' "$words") $(grep -v '^#' "$words")" 'root 644 roce-tos=96'
check "  and not in the profile" not grep -r nm-infiniband /etc/NetworkManager/system-connections
expect_up e
expect_roce mlx4_0 2 tos 96
must nmcli connection modify e connection.id f connection.autoconnect-priority 3
check "a new name keeps them" is "$(say roce-tos f)" 96
must nmcli connection modify f connection.id e
saved=$(md5sum /etc/NetworkManager/system-connections/*)
check "words alone" nm-ib connection modify e rdma.roce-tos 104 rdma.roce-mode v2
check "  do not write the profile" is "$(md5sum /etc/NetworkManager/system-connections/*)" "$saved"
check "not for the time until a reboot" refused 'rdma.* words belong to a profile that is saved' 2 nm-ib connection modify --temporary e rdma.roce-tos 8
check "not in a profile in memory" refused 'rdma.* words belong to a profile that is saved' 2 nm-ib connection add type ethernet con-name m ifname eth1 save no rdma.roce-tos 8
check "not in a keyfile" refused 'rdma.* words belong to a profile that is saved' 2 nm-ib --offline connection add type ethernet con-name m ifname eth1 rdma.roce-tos 8
check "a value that is none" refused "rdma.roce-tos: '999' is no possible value" 2 nm-ib connection modify e rdma.roce-tos 999
check "not by another user" refused 'only root can write rdma.* words' 1 runuser -u alice -- nm-ib connection modify e rdma.roce-tos 8
check "a profile that is refused leaves no words" refused 'Failed to add' 4 eval "mount -t tmpfs -o ro none /etc/NetworkManager/system-connections; nm-ib connection add type ethernet con-name r ifname eth1 rdma.roce-tos 8; code=\$?; umount /etc/NetworkManager/system-connections; (exit \$code)"

# Files that an administrator edited.
journal_mark
echo 'roce-tos=huge' >>"$words"
expect_up e
expect_journal_once "nm-ib: eth0: profile 'e': rdma.roce-tos: 'huge' is no possible value"
check "nm-ib does not write over it" refused "$words: rdma.roce-tos: 'huge'" 1 nm-ib connection modify e rdma.roce-mode v1
sed -i /huge/d "$words"
chmod 666 "$words"
journal_mark
expect_up e
expect_journal_once "nm-ib: eth0: rdma.\* words of profile 'e' cannot be read, none is applied: .*$uuid"
expect_roce mlx4_0 2 tos 104
chmod 644 "$words"

must nmcli connection clone e g
check "a clone has no words" is "$(say roce-tos g)" ''
words g roce-tos=96
chmod 777 /etc/nm-infiniband/profiles
journal_mark
expect_up g
expect_journal 'nm-ib: .*/etc/nm-infiniband/profiles: not used: users other than root can write there'
chmod 755 /etc/nm-infiniband/profiles
rm "/etc/nm-infiniband/profiles/$(nmcli -g connection.uuid connection show g)"
must nmcli connection delete e
check "doctor names the file of a profile that is deleted" eval "finding words-without-profile | grep -F $words"
must rm "$words"
check "  which rm mends" not finding words-without-profile
expect_nm_alive
expect_clean_kernel_log
