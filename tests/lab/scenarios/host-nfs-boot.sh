# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: after a boot the NFS server listens on RDMA, and the fstab line of nm-ib mounts it
# with: cli
# releases: bookworm (trixie)
. ./lib.sh

if [ "$PHASE" = 1 ]; then
    nfs_export
    must systemctl enable nfs-server
    must nm-ib host nfs-server rdma
    nfs_fstab
    reboot_guest
fi

nfs_rxe
systemctl start --no-block multi-user.target # the guest boots to less
check "booted with nfs-server rdma: the server listens on RDMA" eventually grep -x 'rdma 20049' /proc/fs/nfsd/portlist
nfs_end_grace
check "booted with nfs-server rdma: the fstab line mounts the export" eventually mount /mnt/share # the guest has no generators, so no boot reads fstab
check "booted with nfs-server rdma: the mount uses RDMA" grep proto=rdma /proc/mounts
check "booted with nfs-server rdma: the mount carries data" eval "dd if=/dev/urandom of=/srv/share/big bs=1M count=4 && cmp /srv/share/big /mnt/share/big"
umount /mnt/share
expect_clean_kernel_log
