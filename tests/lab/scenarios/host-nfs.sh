# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host nfs-server: NFS over RDMA on Soft-RoCE, mounted by the printed line; doctor explains; unset restores the state
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
check "NFS server: no RDMA by default" not grep rdma /proc/fs/nfsd/portlist
for words in udp "rdma port 70000" "rdma port 2049" "rdma port" "rdma 20049" "tcp port 1" "unset x"; do
    check "nfs-server $words: refused" host_refuses nfs-server $words
done
check "nfs-server rdma --dry-run --now: prints rdma=20049" eval "nm-ib host nfs-server rdma --dry-run --now | grep -x rdma=20049"
expect_host_files
check "nfs-server rdma: names the restart, and does not restart the server" eval "nm-ib host nfs-server rdma | grep -F 'systemctl restart nfs-server' && is \"\$(ports)\" '$before'"
check "host list: rdma=20049 is set, and needs a restart" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "rdma=20049:yes::systemctl restart nfs-server"
check "doctor, server not restarted: nfs-rdma-not-listening" finds nfs-rdma-not-listening
check "nfs-server rdma --now: the server listens on RDMA" eval "strace -f -o /run/trace nm-ib host nfs-server rdma --now && grep -x 'rdma 20049' /proc/fs/nfsd/portlist"
check "nfs-server rdma --now: nm-ib does not write portlist" eval "grep -q portlist /run/trace && not grep -E 'portlist.*O_(WRONLY|RDWR)' /run/trace"
check "nfs-server rdma --now: second run changes nothing" host_changes false nfs-server rdma --now
check "host list: rdma=20049 is in effect" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "rdma=20049:yes:rdma 20049:"
check "doctor, server listens: no nfs-rdma-not-listening" not finds nfs-rdma-not-listening
nfs_fstab
check "doctor, fstab line but no RDMA device: nfs-rdma-no-device" finds nfs-rdma-no-device
nfs_rxe
check "doctor, RDMA device but not mounted: nfs-rdma-not-mounted" finds nfs-rdma-not-mounted
nfs_end_grace
must mount /mnt/share
check "fstab line: mounts over RDMA, and the file can be read" eval "grep proto=rdma /proc/mounts && grep hello /mnt/share/file"
check "doctor, mounted over RDMA: no NFS finding" eval "not finds nfs-rdma-not-mounted && not finds nfs-rdma-no-device"
umount /mnt/share
cp /run/fstab /etc/fstab

forgive
check "nfs-server rdma port 20050 --now: writes the setting" host_changes true nfs-server rdma port 20050 --now
check "nfs-server rdma port 20050: the server listens on this port only" eval "grep -x 'rdma 20050' /proc/fs/nfsd/portlist && not grep 'rdma 20049' /proc/fs/nfsd/portlist"
check "nfs-server rdma port 20050: the fstab line has the port" eval "nm-ib host nfs-server rdma port 20050 | grep -F rdma,port=20050"
echo -e '[nfsd]\nrdma=n' >/etc/nfs.conf.d/95-mine.conf
check "host list: names the later file that overrides rdma=20050" host_row SETTING,NEEDS "rdma=20050:/etc/nfs.conf.d/95-mine.conf is read later and overrides it"
rm /etc/nfs.conf.d/95-mine.conf
check "nfs-server tcp --now: writes the setting" host_changes true nfs-server tcp --now
check "nfs-server tcp: the server does not listen on RDMA" not grep rdma /proc/fs/nfsd/portlist
echo -e '[nfsd]\nrdma=y' >/etc/nfs.conf.d/50-mine.conf
check "nfs-server unset: removes the setting" host_changes true nfs-server unset
restart
check "nfs-server unset, file of the administrator without a port: no RDMA" not grep rdma /proc/fs/nfsd/portlist
check "doctor, file of the administrator without a port: names the fix" eval "finds nfs-rdma-not-listening && nm-ib doctor | grep -F '=> nm-ib host nfs-server rdma --now'"
rm /etc/nfs.conf.d/50-mine.conf
invocation() { systemctl show -P InvocationID nfs-server; }
started=$(invocation)
check "nfs-server unset --now: second run changes nothing" host_changes false nfs-server unset --now
check "nfs-server unset --now, nothing to change: the server is not restarted" is "$(invocation)" "$started"
check "nfs-server unset: the listeners are those from before" is "$(ports)" "$before"
expect_host_files
expect_clean_kernel_log
