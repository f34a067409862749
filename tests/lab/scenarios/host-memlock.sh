# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host memlock: a service, a login and a user's unit can lock what was set, as measured; unset restores the state
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
# locks MIB: exit 0 if the calling user can lock so much memory without CAP_IPC_LOCK
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
must loginctl enable-linger alice # else logind stops her manager 10 s after the last su
must systemctl start job "user@$uid"
# unit MIB: a unit of alice's own manager can lock MIB
unit() { runuser -u alice -- env XDG_RUNTIME_DIR="/run/user/$uid" systemctl --user start "locks-$1"; }
limit() { su alice -c 'ulimit -l'; }
# said TEXT WORD...: nm-ib host memlock WORD... prints TEXT
said() { nm-ib host memlock "${@:2}" | grep -F -- "$1"; }
before=$(limit)
host_mark
check "memlock root: names no kernel thread" eval "not grep -E 'kthreadd|kworker|ksoftirqd' <<<\"\$(nm-ib host memlock root 64M --dry-run; nm-ib host memlock root 64M; nm-ib host memlock root unset)\""
expect_host_files

check "job.service: locks no 64 MiB by default" test ! -e /run/job/locked
check "memlock job.service --dry-run: prints the drop-in" eval "nm-ib host memlock job.service unlimited --dry-run | grep LimitMEMLOCK=infinity"
for words in "alice" "@nope unlimited" "nobody-there 64M" "nope.service unlimited" "alice 64" "* 64M" "alice 64M x" "alice 64M --now"; do
    set -f
    check "memlock $words: refused" host_refuses memlock $words
    set +f
done
expect_host_files
check "memlock job.service unlimited: writes the setting" host_changes true memlock job.service unlimited
check "memlock job.service unlimited: second run changes nothing" host_changes false memlock job.service unlimited
check "memlock job.service unlimited: names the restart that the old process needs" said 'systemctl restart job.service' job.service unlimited
check "host list: job.service unlimited is set, with 8M in effect and the restart needed" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "job.service unlimited:yes:8M:systemctl restart job.service"
must systemctl restart job
check "job.service, restarted: locks 64 MiB" eventually test -e /run/job/locked
check "host list: job.service unlimited is in effect" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "job.service unlimited:yes:unlimited:"
check "memlock job.service unset: names the restart that the old process needs" said 'systemctl restart job.service' job.service unset
check "memlock job.service: names the drop-in in /run that overrides it" eval "mkdir -p /run/systemd/system/job.service.d && printf '[Service]\nLimitMEMLOCK=1M\n' >/run/systemd/system/job.service.d/95-x.conf && systemctl daemon-reload &&
    said 'another file overrides this setting; to see all files: systemctl cat job.service' job.service 2M"
must rm -r /run/systemd/system/job.service.d
must nm-ib host memlock job.service unset
must systemctl daemon-reload
must systemctl restart job
check "job.service, unset and restarted: locks no 64 MiB" eventually test ! -e /run/job/locked
expect_host_files

check "login of alice: cannot lock $much MiB by default" not su alice -c "locks $much"
check "user unit of alice: cannot lock $much MiB by default" not unit $much
check "memlock @rdma unlimited: writes the setting" host_changes true memlock @rdma unlimited
check "memlock @rdma unlimited: second run changes nothing" host_changes false memlock @rdma unlimited
check "memlock @rdma unlimited: su locks $much MiB" su alice -c "locks $much"
check "memlock @rdma unlimited: runuser locks $much MiB" runuser -u alice -- locks $much
check "memlock @rdma unlimited: names the restart that the user's manager needs" said "systemctl restart user@$uid.service" @rdma unlimited
check "memlock @rdma unlimited: a user unit cannot lock $much MiB before the restart" not unit $much
must systemctl restart "user@$uid"
check "memlock @rdma unlimited: a user unit locks $much MiB after the restart" unit $much
check "host list: @rdma unlimited is in effect" host_row SETTING,BY_NM_IB,IN_EFFECT,NEEDS "@rdma unlimited:yes:unlimited:"
check "memlock alice 4M: writes the setting" host_changes true memlock alice 4M
check "memlock alice 4M: overrides the group, su cannot lock 5 MiB" not su alice -c "locks 5"
check "memlock alice 4M: su locks 3 MiB" su alice -c "locks 3"
must systemctl restart "user@$uid"
check "memlock alice 4M: a user unit locks 3 MiB and not 5 MiB" eval "unit 3 && not unit 5"
check "memlock alice 4M: names the later file that overrides it" eval "echo 'alice - memlock 65536' >/etc/security/limits.d/95-mine.conf; said '/etc/security/limits.d/95-mine.conf is read later and overrides it' alice 4M"
check "host list: names the later file that overrides alice 4M, and shows its setting" eval "host_row SETTING,NEEDS 'alice 4M:/etc/security/limits.d/95-mine.conf is read later and overrides it' && host_row SETTING,BY_NM_IB 'alice 64M:no'"
rm /etc/security/limits.d/95-mine.conf
check "memlock alice unset: names the restart that the user's manager needs" said "systemctl restart user@$uid.service" alice unset
check "memlock @rdma unset: removes the setting" host_changes true memlock @rdma unset
check "memlock @rdma unset: second run changes nothing" host_changes false memlock @rdma unset
must systemctl restart "user@$uid"
check "memlock @rdma unset: a user unit cannot lock $much MiB after the restart" not unit $much
check "memlock @rdma unset: a new login has the limit from before" is "$(limit)" "$before"
expect_host_files
cat >/etc/systemd/system/as-alice.service <<'UNIT'
[Service]
User=alice
ExecStart=/bin/sleep infinity
UNIT
systemctl daemon-reload
must systemctl start as-alice
check "memlock alice: names the own setting of a service that runs as alice" said 'nm-ib host memlock as-alice.service' alice unlimited
