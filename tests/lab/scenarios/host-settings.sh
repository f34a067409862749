# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: settings of the machine: memlock, modules, the NFS server over RDMA, the ports of opensm; undone, all is as before
# with: cli
# releases: bookworm trixie
. ./lib.sh
# what_is: every file of the administrator's, with its checksum
what_is() { { find /etc /run/systemd/system /run/systemd/transient -printf '%y %m %p\n'; find /etc -type f -exec md5sum {} +; } 2>/dev/null | sort; }
# changed true|false WORD...: nm-ib host WORD... says so
changed() { is "$(nm-ib host "${@:2}" --json | python3 -c 'import json,sys; print(str(json.load(sys.stdin)["changed"]).lower())')" "$1"; }
refused() { local code=0 out; out=$(nm-ib host "$@" 2>&1) || code=$?; is "$code $(wc -l <<<"$out")" "2 1"; }
# locks MIB: this much memory can be locked by who runs it (without the right to lock what he wants)
cat >/usr/local/bin/locks <<'PY'
#!/usr/bin/python3
import ctypes, mmap, sys
size = int(sys.argv[1]) << 20
memory = mmap.mmap(-1, size)
libc = ctypes.CDLL(None, use_errno=True)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
sys.exit(0 if libc.mlock(ctypes.c_void_p(address), ctypes.c_size_t(size)) == 0 else 1)
PY
chmod 755 /usr/local/bin/locks
useradd -m alice
getent group rdma >/dev/null || groupadd --system rdma
usermod -aG rdma alice
cat >/etc/systemd/system/job.service <<'UNIT'
[Service]
User=nobody
ExecStart=/bin/sleep infinity
ExecStartPost=-/bin/sh -c '/usr/local/bin/locks 64 && touch /run/job/locked || rm -f /run/job/locked'
UNIT
mkdir -m 777 /run/job
systemctl daemon-reload
systemctl start job
fabric sm=none
modprobe -a ib_umad rdma_rxe
rm -f /etc/.pwd.lock
what_is >/run/before

check "no limit for a service: it cannot lock 64 MiB" test ! -e /run/job/locked
check "dry run writes nothing" eval "nm-ib host memlock job.service unlimited --dry-run | grep LimitMEMLOCK=infinity && what_is | cmp - /run/before"
check "memlock of a service is written" changed true memlock job.service unlimited
check "  twice is once" changed false memlock job.service unlimited
check "  the old process is told" eval "nm-ib host memlock job.service unlimited | grep 'systemctl restart job.service'"
must systemctl restart job
check "  and it locks 64 MiB" eventually test -e /run/job/locked
check "  in effect, by the list" eval "is \"\$(nm-ib -g IN-EFFECT,NEEDS host | grep -c '^unlimited:\$')\" 1"
check "  and gone again" changed true memlock job.service default
check "  nothing left" eval "what_is | diff /run/before -"

eighth=$(($(awk '/MemTotal/ { print $2 }' /proc/meminfo) / 8192 + 16))
check "a login locks no more than an eighth of the memory" not runuser -u alice -- locks $eighth
check "memlock of a group is written" changed true memlock @rdma unlimited
check "  runuser" runuser -u alice -- locks $eighth
check "  su" su alice -c "locks $eighth"
check "memlock of a user counts more than that of the group" changed true memlock alice 4M
check "  5 MiB are too much" not runuser -u alice -- locks 5
check "  3 MiB are not" runuser -u alice -- locks 3
check "undone: the user" changed true memlock alice default
check "undone: the group" changed true memlock @rdma default
check "  twice is once" changed false memlock @rdma default
check "  nothing left" eval "what_is | diff /run/before -"

check "modules that the cards need" changed true modules
check "  among them ib_ipoib and ib_umad" eval "grep -x ib_ipoib /etc/modules-load.d/90-nm-ib.conf && grep -x ib_umad /etc/modules-load.d/90-nm-ib.conf"
check "  twice is once" changed false modules
check "  systemd loads them" /lib/systemd/systemd-modules-load /etc/modules-load.d/90-nm-ib.conf
check "an unknown module is refused" refused modules ib_ipiob
check "undone: modules" changed true modules default
check "  nothing left" eval "what_is | diff /run/before -"

echo "# mine" >/etc/modules-load.d/90-nm-ib.conf
check "a file of somebody else's is not removed" refused modules default
check "  nor written over" refused modules
check "  and stays" grep -x '# mine' /etc/modules-load.d/90-nm-ib.conf
rm /etc/modules-load.d/90-nm-ib.conf
for words in "memlock" "memlock @nope unlimited" "memlock nobody-there 64M" "memlock nope.service unlimited" "memlock alice 64" "memlock * 64M" \
    "nfs-server udp" "nfs-server rdma port 70000" "nfs-server rdma port" "opensm" "opensm 1 2" "opensm 0x1111111111111111" \
    "opensm 0x0002c903000a0001 priority 16" "modules --now" "nothing" "list x"; do
    set -f
    check "refused in one line: host $words" refused $words
    set +f
done
check "  nothing written" eval "what_is | diff /run/before -"

# sms: the ports on which an opensm runs
sms() { systemctl list-units --plain --no-legend --state=active 'opensm@*' | sed 's/opensm@\([^.]*\).*/\1/' | sort | paste -sd ' '; }
check "opensm on one port, with a priority" changed true opensm 0x0002c903000a0001 priority 7
must systemctl restart opensm
check "  runs on this one only" eventually eval "is \"\$(sms)\" 0x0002c903000a0001"
check "  with that priority" eval "pgrep -af -- '--priority 7'"
check "  twice is once" changed false opensm 0x0002C903000a0001 priority 7
check "without priority" changed true opensm 0x0002c903000a0001
check "  the second file is gone" test ! -e /etc/systemd/system/opensm@.service.d
must systemctl stop opensm
check "undone: opensm" changed true opensm default
check "  nothing left" eval "what_is | diff /run/before -"

# NFS over a software RoCE device on one end of a veth pair, mounted by the same machine
must ip link add ve0 type veth peer name ve1
must ip address add 10.9.0.1/24 dev ve0
must ip link set ve0 up
must ip link set ve1 up
must rdma link add rxe_ve0 type rxe netdev ve0
mkdir -p /srv/share /mnt/share
echo hello >/srv/share/file
must systemctl start nfs-server
must exportfs -o rw,insecure,no_root_squash,fsid=0 '*:/srv/share'
mounts() { umount /mnt/share 2>/dev/null; timeout 60 mount -t nfs -o "$1" 10.9.0.1:/ /mnt/share; }
what_is >/run/before-nfs
check "no RDMA without the setting" eval "not grep rdma /proc/fs/nfsd/portlist"
check "nfs-server rdma" changed true nfs-server rdma --now
check "  listens" grep -x 'rdma 20049' /proc/fs/nfsd/portlist
check "  twice is once" changed false nfs-server rdma --now
exportfs -o rw,insecure,no_root_squash,fsid=0 '*:/srv/share'
check "  mount" mounts rdma,port=20049
check "  it is RDMA" grep proto=rdma /proc/mounts
check "  and carries data" grep hello /mnt/share/file
umount /mnt/share
must systemctl restart nfs-server
check "after a restart of the service" grep -x 'rdma 20049' /proc/fs/nfsd/portlist
check "  the list says so" eval "nm-ib -g IN-EFFECT host | grep 'rdma 20049'"
check "another port" changed true nfs-server rdma port 20050 --now
check "  listens" eval "grep -x 'rdma 20050' /proc/fs/nfsd/portlist && not grep 'rdma 20049' /proc/fs/nfsd/portlist"
check "TCP alone" changed true nfs-server tcp --now
check "  no RDMA" eval "not grep rdma /proc/fs/nfsd/portlist"
sleep 12
check "undone: nfs-server" changed true nfs-server default --now
check "  no RDMA" eval "not grep rdma /proc/fs/nfsd/portlist"
check "  nothing left" eval "what_is | diff /run/before-nfs -"
expect_clean_kernel_log
