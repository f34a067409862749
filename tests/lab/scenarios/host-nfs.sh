# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: docs/host.md: NFS over RDMA on Soft-RoCE with nfsconf; doctor explains what is not in effect, and its command mends
# with: cli
# releases: bookworm (trixie)
# files: nfs.sh
. ./lib.sh
. ./nfs.sh
ports() { sed 's/ *$//' /proc/fs/nfsd/portlist | sort -u | paste -sd ,; }
restart() {
    must systemctl reset-failed nfs-server # systemd allows five starts in ten seconds
    must systemctl restart nfs-server
}

nfs_export
must systemctl start nfs-server
before=$(ports)
cp /etc/fstab /run/fstab
check "NFS server: no RDMA by default" prints_no rdma cat /proc/fs/nfsd/portlist
check "doctor, no RDMA set: no nfs-rdma-not-listening" doctor_lacks nfs-rdma-not-listening
must nfsconf --set nfsd rdma 20049
check "doctor, server not restarted: nfs-rdma-not-listening, with the restart" eval "doctor_has nfs-rdma-not-listening && prints 'systemctl restart nfs-server' doctor_text"
restart
check "nfsconf --set nfsd rdma 20049, restarted: the server listens on RDMA" grep -x 'rdma 20049' /proc/fs/nfsd/portlist
check "doctor, server listens: no nfs-rdma-not-listening" doctor_lacks nfs-rdma-not-listening
nfs_fstab
check "doctor, fstab line but no RDMA device: nfs-rdma-no-device" doctor_has nfs-rdma-no-device
nfs_rxe
check "doctor, RDMA device but not mounted: nfs-rdma-not-mounted" doctor_has nfs-rdma-not-mounted
nfs_end_grace
must mount /mnt/share
check "fstab line: mounts over RDMA, and the file can be read" eval "grep proto=rdma /proc/mounts && grep hello /mnt/share/file"
check "doctor, mounted over RDMA: no NFS finding" eval "doctor_lacks nfs-rdma-not-mounted && doctor_lacks nfs-rdma-no-device"
umount /mnt/share
cp /run/fstab /etc/fstab

must nfsconf --unset nfsd rdma
restart
check "nfsconf --unset nfsd rdma, restarted: the listeners are those from before" is "$(ports)" "$before"
mkdir -p /etc/nfs.conf.d
printf '[nfsd]\nrdma=y\n' >/etc/nfs.conf.d/50-mine.conf
restart
check "rdma=y without the name nfsrdma: the server does not listen on RDMA" prints_no rdma cat /proc/fs/nfsd/portlist
check "doctor, rdma=y: names the command for this file" eval "doctor_has nfs-rdma-not-listening && prints 'nfsconf --file /etc/nfs.conf.d/50-mine.conf --set nfsd rdma 20049' doctor_text"
must nfsconf --file /etc/nfs.conf.d/50-mine.conf --set nfsd rdma 20049
restart
check "doctor's command, and a restart: the server listens on RDMA" grep -x 'rdma 20049' /proc/fs/nfsd/portlist
check "doctor, server listens: no NFS finding" doctor_lacks nfs-rdma-not-listening
rm /etc/nfs.conf.d/50-mine.conf
expect_clean_kernel_log
