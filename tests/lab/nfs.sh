# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Verbs for NFS over RDMA; sourced after lib.sh

# An NFS server; a Soft-RoCE device on one end of a veth pair, so that this machine can mount; the fstab line of docs/host.md.
nfs_export() {
    mkdir -p /srv/share /mnt/share
    echo hello >/srv/share/file
    echo '/srv/share *(rw,insecure,no_root_squash,fsid=0)' >/etc/exports
}
nfs_rxe() {
    must ip link add ve0 type veth peer name ve1
    must ip address add 10.9.0.1/24 dev ve0
    must ip link set ve0 up
    must ip link set ve1 up
    must rdma link add rxe_ve0 type rxe netdev ve0
}
nfs_fstab() { echo '10.9.0.1:/ /mnt/share nfs rdma,port=20049,_netdev 0 0' >>/etc/fstab; }
nfs_end_grace() { echo Y >/proc/fs/nfsd/v4_end_grace; } # else clients wait for 90 seconds after the server has started
