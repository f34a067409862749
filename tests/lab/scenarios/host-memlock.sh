# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host memlock: a service, a login and a user's unit lock as much as was set, measured; undone, all is as before
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
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
much=$(($(awk '/MemTotal/ { print $2 }' /proc/meminfo) / 8192 + 16)) # MiB: more than Debian's default for a login, an eighth of the memory
getent group rdma >/dev/null || groupadd --system rdma
useradd -m -G rdma alice
uid=$(id -u alice)
cat >/etc/systemd/system/job.service <<'UNIT'
[Service]
User=nobody
ExecStart=/bin/sleep infinity
ExecStartPost=-/bin/sh -c '/usr/local/bin/locks 64 && touch /run/job/locked || rm -f /run/job/locked'
UNIT
mkdir -m 777 /run/job
home=~alice
mkdir -p "$home/.config/systemd/user"
for size in $much 3 5; do
    printf '[Service]\nType=oneshot\nExecStart=/usr/local/bin/locks %s\n' "$size" >"$home/.config/systemd/user/locks-$size.service"
done
chown -R alice: "$home"
rm -f /etc/systemd/system/systemd-logind.service
systemctl daemon-reload
must systemctl start systemd-logind
must systemctl start job "user@$uid"
# unit MIB: a unit of alice's own manager locks it
unit() { runuser -u alice -- env XDG_RUNTIME_DIR="/run/user/$uid" systemctl --user start "locks-$1"; }
limit() { su alice -c 'ulimit -l'; }
# said TEXT WORD...: nm-ib host memlock WORD... says it
said() { nm-ib host memlock "${@:2}" | grep -F -- "$1"; }
before=$(limit)
host_mark
check "no kernel thread is named" eval "not grep -E 'kthreadd|kworker|ksoftirqd' <<<\"\$(nm-ib host memlock root 64M --dry-run; nm-ib host memlock root 64M; nm-ib host memlock root unset)\""
expect_host_files

check "a service locks no 64 MiB" test ! -e /run/job/locked
check "dry run" eval "nm-ib host memlock job.service unlimited --dry-run | grep LimitMEMLOCK=infinity"
for words in "alice" "@nope unlimited" "nobody-there 64M" "nope.service unlimited" "alice 64" "* 64M" "alice 64M x" "alice 64M --now"; do
    set -f
    check "refused: host memlock $words" host_refuses memlock $words
    set +f
done
expect_host_files
check "a service: written" host_changes true memlock job.service unlimited
check "  twice is once" host_changes false memlock job.service unlimited
check "  the old process is told" said 'systemctl restart job.service' job.service unlimited
check "  the list says it" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "job.service unlimited:yes:8M:systemctl restart job.service"
must systemctl restart job
check "  it locks 64 MiB" eventually test -e /run/job/locked
check "  in effect, by the list" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "job.service unlimited:yes:unlimited:"
check "  undone: the process that has it still is told" said 'systemctl restart job.service' job.service unset
check "a drop-in in /run that wins is named" eval "mkdir -p /run/systemd/system/job.service.d && printf '[Service]\nLimitMEMLOCK=1M\n' >/run/systemd/system/job.service.d/95-x.conf && systemctl daemon-reload &&
    said 'another file overrides it; to see all: systemctl cat job.service' job.service 2M"
must rm -r /run/systemd/system/job.service.d
must nm-ib host memlock job.service unset
must systemctl daemon-reload
must systemctl restart job
check "  it locks 64 MiB no more" eventually test ! -e /run/job/locked
expect_host_files

check "a login locks not so much" not su alice -c "locks $much"
check "  nor does a unit of the user" not unit $much
check "a group: written" host_changes true memlock @rdma unlimited
check "  twice is once" host_changes false memlock @rdma unlimited
check "  su" su alice -c "locks $much"
check "  runuser" runuser -u alice -- locks $much
check "  the user's manager is named, which has it not" said "systemctl restart user@$uid.service" @rdma unlimited
check "    and really not" not unit $much
must systemctl restart "user@$uid"
check "  a unit of the user, after that" unit $much
check "  by the list" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "@rdma unlimited:yes:unlimited:"
check "a user counts more than his group" host_changes true memlock alice 4M
check "  5 MiB are too much" not su alice -c "locks 5"
check "  3 MiB are not" su alice -c "locks 3"
must systemctl restart "user@$uid"
check "  of a unit of his too" eval "unit 3 && not unit 5"
check "a file behind ours is named" eval "echo 'alice - memlock 65536' >/etc/security/limits.d/95-mine.conf; said '/etc/security/limits.d/95-mine.conf is read later and overrides it' alice 4M"
check "  in the list too, and what others set" eval "host_row SETTING,NEEDS 'alice 4M:/etc/security/limits.d/95-mine.conf is read later and overrides it' && host_row SETTING,BY_NM_IB 'alice 64M:no'"
rm /etc/security/limits.d/95-mine.conf
check "undone: the user; his manager, which has it still, is named" said "systemctl restart user@$uid.service" alice unset
check "undone: the group" host_changes true memlock @rdma unset
check "  twice is once" host_changes false memlock @rdma unset
must systemctl restart "user@$uid"
check "  a unit of the user cannot" not unit $much
check "  a new login has what it had" is "$(limit)" "$before"
expect_host_files
cat >/etc/systemd/system/as-alice.service <<'UNIT'
[Service]
User=alice
ExecStart=/bin/sleep infinity
UNIT
systemctl daemon-reload
must systemctl start as-alice
check "a service that runs as the user has a setting of its own, and that is said" said 'nm-ib host memlock as-alice.service' alice unlimited
