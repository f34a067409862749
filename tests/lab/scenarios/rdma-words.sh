# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the file of a profile's words: other clients, a new profile name, deletion, files that are refused
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
stored() { cat /etc/NetworkManager/system-connections/* /etc/nm-infiniband/profiles/* | md5sum; }
refused() { # TEXT STATUS COMMAND...: one line with TEXT, nothing is stored
    local before code=0
    before=$(stored)
    "${@:3}" >/run/out 2>/run/err || code=$?
    is "$code $(grep -cE '^(Error|Usage): ' /run/err) $(stored)" "$2 1 $before" && grep -F -- "$1" /run/err
}
check "words: in a file of root, mode 644" is "$(stat -c '%U %a' "$words") $(grep -v '^#' "$words")" 'root 644 roce-tos=96'
check "words: not in the keyfile" not grep -r nm-infiniband /etc/NetworkManager/system-connections
expect_up e
expect_roce mlx4_0 2 tos 96
must nmcli connection modify e connection.id f connection.autoconnect-priority 3
check "words, profile renamed: stay" is "$(say roce-tos f)" 96
must nmcli connection modify f connection.id e
saved=$(md5sum /etc/NetworkManager/system-connections/*)
check "modify, words only: succeeds" nm-ib connection modify e rdma.roce-tos 104 rdma.roce-mode v2
check "modify, words only: the keyfile is unchanged" is "$(md5sum /etc/NetworkManager/system-connections/*)" "$saved"
check "modify --temporary with a word: refused" refused 'rdma.* words: only with a saved profile' 2 nm-ib connection modify --temporary e rdma.roce-tos 8
check "add, profile in memory with a word: refused" refused 'rdma.* words: only with a saved profile' 2 nm-ib connection add type ethernet con-name m ifname eth1 save no rdma.roce-tos 8
check "--offline add with a word: refused" refused 'rdma.* words: only with a saved profile' 2 nm-ib --offline connection add type ethernet con-name m ifname eth1 rdma.roce-tos 8
check "modify, invalid value: refused" refused "rdma.roce-tos: '999' is not valid" 2 nm-ib connection modify e rdma.roce-tos 999
check "modify as an unprivileged user: refused" refused 'only root can write rdma.* words' 1 runuser -u alice -- nm-ib connection modify e rdma.roce-tos 8
check "add, profile that cannot be saved: no words are left" refused 'Failed to add' 4 eval "mount -t tmpfs -o ro none /etc/NetworkManager/system-connections; nm-ib connection add type ethernet con-name r ifname eth1 rdma.roce-tos 8; code=\$?; umount /etc/NetworkManager/system-connections; (exit \$code)"

# Files that an administrator edited.
journal_mark
echo 'roce-tos=huge' >>"$words"
expect_up e
expect_journal_once "nm-ib: eth0: profile 'e': rdma.roce-tos: 'huge' is not valid"
check "modify, file with an invalid word: not overwritten" refused "$words: rdma.roce-tos: 'huge'" 1 nm-ib connection modify e rdma.roce-mode v1
sed -i /huge/d "$words"
chmod 666 "$words"
journal_mark
expect_up e
expect_journal_once "nm-ib: eth0: rdma.\* words of profile 'e' cannot be read, ignoring: .*$uuid"
expect_roce mlx4_0 2 tos 104
chmod 644 "$words"

must nm-ib connection modify e rdma.roce-tos '' rdma.roce-mode ''
check "modify, last word removed: the file is removed" not test -e "$words"
must nm-ib connection modify e rdma.roce-tos 32

must nmcli connection clone e g
check "cloned profile: has no words" prints_only '' say roce-tos g
words g roce-tos=96
chmod 777 /etc/nm-infiniband/profiles
journal_mark
expect_up g
expect_journal 'nm-ib: .*/etc/nm-infiniband/profiles: users other than root can write there'
chmod 755 /etc/nm-infiniband/profiles
rm "/etc/nm-infiniband/profiles/$(nmcli -g connection.uuid connection show g)"
must nmcli connection delete e
check "doctor, file of a deleted profile: words-without-profile" doctor_shows '.findings[] | select(.id == "words-without-profile") | tostring | contains("'"$words"'")'
must rm "$words"
check "doctor, file of a deleted profile removed: no words-without-profile" doctor_lacks words-without-profile
expect_nm_alive
expect_clean_kernel_log
