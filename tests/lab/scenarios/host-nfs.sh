# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host nfs-server: NFS over RDMA on Soft-RoCE, mounted by the line it prints; doctor explains; undone, all is as before
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
ports() { sed 's/ *$//' /proc/fs/nfsd/portlist | sort -u | paste -sd ,; }
forgive() { must systemctl reset-failed nfs-server; } # systemd allows five starts in ten seconds
restart() { forgive; must systemctl restart nfs-server; }
finds() { nm-ib doctor | grep -F "[$1]"; }

nfs_export
must systemctl start nfs-server
before=$(ports)
cp /etc/fstab /run/fstab
host_mark
check "no RDMA without the setting" not grep rdma /proc/fs/nfsd/portlist
for words in udp "rdma port 70000" "rdma port 2049" "rdma port" "rdma 20049" "tcp port 1" "unset x"; do
    check "refused: host nfs-server $words" host_refuses nfs-server $words
done
check "dry run" eval "nm-ib host nfs-server rdma --dry-run --now | grep -x rdma=20049"
expect_host_files
check "without --now the server is not restarted" eval "nm-ib host nfs-server rdma | grep -F 'systemctl restart nfs-server' && is \"\$(ports)\" '$before'"
check "  the list says so" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "rdma=20049:yes::systemctl restart nfs-server"
check "  doctor too" finds nfs-rdma-not-listening
check "with it: it listens" eval "strace -f -o /run/trace nm-ib host nfs-server rdma --now && grep -x 'rdma 20049' /proc/fs/nfsd/portlist"
check "  and nobody of us wrote portlist" eval "grep -q portlist /run/trace && not grep -E 'portlist.*O_(WRONLY|RDWR)' /run/trace"
check "  twice is once" host_changes false nfs-server rdma --now
check "  the list says so" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "rdma=20049:yes:rdma 20049:"
check "  doctor finds nothing" not finds nfs-rdma-not-listening
nfs_fstab
check "doctor: a line for fstab, and no RDMA device" finds nfs-rdma-no-device
nfs_rxe
check "  a device, and not mounted" finds nfs-rdma-not-mounted
nfs_end_grace
must mount /mnt/share
check "  mounted: over RDMA, and it carries data" eval "grep proto=rdma /proc/mounts && grep hello /mnt/share/file"
check "  doctor finds nothing" eval "not finds nfs-rdma-not-mounted && not finds nfs-rdma-no-device"
umount /mnt/share
cp /run/fstab /etc/fstab

forgive
check "another port" host_changes true nfs-server rdma port 20050 --now
check "  listens on that only" eval "grep -x 'rdma 20050' /proc/fs/nfsd/portlist && not grep 'rdma 20049' /proc/fs/nfsd/portlist"
check "  the line has it" eval "nm-ib host nfs-server rdma port 20050 | grep -F rdma,port=20050"
echo -e '[nfsd]\nrdma=n' >/etc/nfs.conf.d/95-mine.conf
check "a file behind ours is named" host_row SETTING,NEEDS "rdma=20050:/etc/nfs.conf.d/95-mine.conf is read later and overrides it"
rm /etc/nfs.conf.d/95-mine.conf
check "TCP alone" host_changes true nfs-server tcp --now
check "  no RDMA" not grep rdma /proc/fs/nfsd/portlist
echo -e '[nfsd]\nrdma=y' >/etc/nfs.conf.d/50-mine.conf
check "undone" host_changes true nfs-server unset
restart
check "  what the administrator wrote counts again, and nobody listens" not grep rdma /proc/fs/nfsd/portlist
check "  doctor says why, and what mends it" eval "finds nfs-rdma-not-listening && nm-ib doctor | grep -F '=> nm-ib host nfs-server rdma --now'"
rm /etc/nfs.conf.d/50-mine.conf
invocation() { systemctl show -P InvocationID nfs-server; }
started=$(invocation)
check "undone, with --now: twice is once" host_changes false nfs-server unset --now
check "  and the server is not restarted" is "$(invocation)" "$started"
check "  the listeners are those of before" is "$(ports)" "$before"
expect_host_files
expect_clean_kernel_log
