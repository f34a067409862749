# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host: memlock, modules, NFS server and opensm are set by one file each, are in effect, and leave nothing behind
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric sm=none name=mlx4_0,mlx4_1
lock() { # BYTES: can that much be locked?
    python3 -c '
import ctypes, mmap, sys
libc = ctypes.CDLL(None, use_errno=True)
m = mmap.mmap(-1, int(sys.argv[1]))
sys.exit(libc.mlock(ctypes.byref(ctypes.c_char.from_buffer(m)), ctypes.c_size_t(len(m))) != 0)' "$1"
}
state() { find /etc /run/systemd/system -xdev \( -type f -o -type l \) ! -name '*-' ! -name mtab ! -name 'passwd*' ! -name 'group*' ! -name '*shadow*' ! -name 'sub?id*' -exec md5sum {} + 2>/dev/null | sort -k2; }
must useradd -m -s /bin/sh user1
getent group rdma >/dev/null || must groupadd rdma
must usermod -aG rdma user1
declare -f lock >/run/lock.sh
printf '%s\n' '#!/bin/bash' '. /run/lock.sh' 'lock "$@"' >/run/try-lock
chmod 755 /run/try-lock
state >/run/before

# memlock: a service, and a login
as_login() { su -s /bin/bash user1 -c "/run/try-lock $1"; }
printf '[Service]\nUser=user1\nType=oneshot\nExecStart=/run/try-lock %s\n' $((64 << 20)) >/run/systemd/system/job.service
systemctl daemon-reload
check "a service may not lock 64 MiB" not systemctl start job
check "memlock of a unit" eval "nm-ib host memlock job.service unlimited && systemctl start job"
check "  twice is once" eval "nm-ib host memlock job.service unlimited --json | grep -F '\"changed\":false'"
check "  shown" eval "nm-ib host | grep -F job.service"
check "  a size" eval "nm-ib host memlock job.service 16M && ! systemctl start job"
check "  taken back" eval "nm-ib host memlock job.service default && test ! -e /etc/systemd/system/job.service.d && ! systemctl start job"
rm /run/systemd/system/job.service
systemctl daemon-reload
systemctl reset-failed
check "memlock of a group: a size that is too small" eval "nm-ib host memlock @rdma 1M && ! as_login $((2 << 20))"
check "  unlimited, in effect at the next login" eval "nm-ib host memlock @rdma unlimited && as_login $((64 << 20))"
check "  taken back" nm-ib host memlock @rdma default
check "  twice" eval "nm-ib host memlock @rdma default --json | grep -F '\"changed\":false'"

# modules
check "what the cards need" eval "nm-ib host modules && grep -x ib_ipoib /etc/modules-load.d/90-nm-ib.conf"
check "  systemd loads them" systemctl restart systemd-modules-load
check "an unknown module is refused" eval "nm-ib host modules no_such_module 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1'"
check "  taken back" eval "nm-ib host modules default && test ! -e /etc/modules-load.d/90-nm-ib.conf"

# a subnet manager on one port of two
first=0x0002c903000a0001
second=0x0002c903000a0011
modprobe ib_umad
check "opensm on one port" nm-ib host opensm $first priority 5
must systemctl start opensm
check "  is there" eventually eval "nm-ib -t -f PORT,STATE port | grep -Fx 'mlx4_0/1:Active'"
check "  and is not on the other" eval "systemctl is-active opensm@$first && ! systemctl is-active opensm@$second"
check "  with its priority" eventually eval "sminfo -C mlx4_0 | grep -F 'priority 5'"
must systemctl stop 'opensm*'
check "  taken back" nm-ib host opensm default
check "a GUID that is none of ours is refused" eval "nm-ib host opensm 0x0002c9030000ffff 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1'"

# NFS over RDMA, with a software device: the server's file and the client's line
must ip link add ve0 type veth peer name ve1
ip address add 10.9.0.1/24 dev ve0
ip link set ve0 up
ip link set ve1 up
must rdma link add rxe_ve0 type rxe netdev ve0
mkdir -p /run/export /run/mounted
echo hello >/run/export/file
echo '/run/export *(rw,insecure,no_root_squash,fsid=1)' >/etc/exports
check "the server's file" eval "nm-ib host nfs-server rdma >/run/out && grep -F 'nfs rdma,port=20049' /run/out && grep -x rdma=20049 /etc/nfs.conf.d/90-nm-ib.conf"
must systemctl start nfs-server
check "  the server listens" eventually grep -F 'rdma 20049' /proc/fs/nfsd/portlist
check "  host says so" eval "nm-ib host | grep -F 20049"
check "a client mounts with the options that it said" eval "timeout 60 mount -t nfs -o rdma,port=20049,vers=4.2 10.9.0.1:/run/export /run/mounted"
check "  over RDMA" eval "grep -F proto=rdma /proc/mounts && grep hello /run/mounted/file"
umount /run/mounted 2>/dev/null
check "tcp takes effect at once with --now" eval "nm-ib host nfs-server tcp --now && ! grep -F rdma /proc/fs/nfsd/portlist"
check "  taken back" nm-ib host nfs-server default
systemctl stop nfs-server
rm /etc/exports

check "bad words: one line, exit 2, nothing written" eval "
    for w in 'memlock @rdma' 'memlock @rdma 5' 'memlock nobody-here unlimited' 'memlock ../x unlimited' 'nfs-server udp' 'nfs-server rdma port 0' 'modules ../x' 'opensm' 'colour'; do
        nm-ib host \$w 2>/run/err; is \"\$? \$(wc -l </run/err)\" '2 1' || { echo \"\$w\"; cat /run/err; exit 1; }; done"
echo 'mine' >/etc/modules-load.d/90-nm-ib.conf
check "a file of somebody else is left alone" eval "! nm-ib host modules default 2>/run/err && grep -x mine /etc/modules-load.d/90-nm-ib.conf"
rm /etc/modules-load.d/90-nm-ib.conf
state >/run/after
check "everything is as it was" eval "diff <(grep -v exports /run/before) <(grep -v exports /run/after)"
expect_clean_kernel_log
