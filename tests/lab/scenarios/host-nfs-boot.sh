# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: after a boot the NFS server of docs/host.md listens on RDMA, and the fstab line mounts it
# with: cli
# releases: bookworm (trixie)
# files: nfs.sh
. ./lib.sh
. ./nfs.sh

if [ "$PHASE" = 1 ]; then
    nfs_export
    must systemctl enable nfs-server
    must nfsconf --set nfsd rdma 20049
    nfs_fstab
    reboot_guest
fi

nfs_rxe
systemctl start --no-block multi-user.target # the guest boots to less
check "booted with rdma=20049: the server listens on RDMA" eventually grep -x 'rdma 20049' /proc/fs/nfsd/portlist
nfs_end_grace
check "booted with rdma=20049: the fstab line mounts the export" eventually mount /mnt/share # the guest has no generators, so no boot reads fstab
check "booted with rdma=20049: the mount uses RDMA" grep proto=rdma /proc/mounts
check "booted with rdma=20049: the mount carries data" eval "dd if=/dev/urandom of=/srv/share/big bs=1M count=4 && cmp /srv/share/big /mnt/share/big"
umount /mnt/share
expect_clean_kernel_log
