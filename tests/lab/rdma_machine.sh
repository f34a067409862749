# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# All state that the rdma.* words could change; sourced after lib.sh

# rdma_state: state files, RDMA-CM, devices, GUIDs of virtual functions, modules
rdma_state() {
    mkdir -p /run/NetworkManager/nm-infiniband # else the first state file would add this directory
    find /run/NetworkManager/nm-infiniband /sys/kernel/config/rdma_cm | sort
    cat /run/NetworkManager/nm-infiniband/rdma-*
    rdma dev | sed 's/^[0-9]*: //; s/ *$//'
    rdma link | sed 's/ *$//'
    local d
    for d in /sys/class/infiniband/*; do
        d=${d##*/}
        mkdir "/sys/kernel/config/rdma_cm/$d"
        head /sys/kernel/config/rdma_cm/"$d"/ports/*/*
        rmdir "/sys/kernel/config/rdma_cm/$d"
    done
    ip link show ib0 | grep -o 'vf .*GUID.*'
    lsmod | awk '{ print $1 }' | sort
}
# rdma_files: checksums of all files in /etc, except profiles
rdma_files() { find /etc -type f ! -path '*/system-connections/*' ! -path '*/nm-infiniband/profiles/*' -exec md5sum {} + | sort -k2; }
rdma_mark() {
    rdma_state >/run/state 2>&1
    rdma_files >/run/files
}
# rdma_same: nothing has changed since rdma_mark. The checksums take time, so they come last
rdma_same() {
    rdma_state >/run/state.now 2>&1
    diff /run/state /run/state.now && rdma_files | diff /run/files -
}
