# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: host memlock and docs/host.md: a login, a user's unit and a service can lock what was set, as measured; unset restores the state
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
printf '[Service]\nType=oneshot\nExecStart=/usr/local/bin/locks %s\n' "$much" >"$home/.config/systemd/user/locks-$much.service"
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
said() { prints "$1" nm-ib host memlock "${@:2}"; }
before=$(limit)
host_mark
set -f
while IFS='|' read -r words text; do
    check "memlock $words: refused" host_refuses "$text" memlock $words
done <<'END'
alice|memlock takes @GROUP, and a size or unset
@nope unlimited|the group 'nope' does not exist
alice 64M|memlock takes @GROUP (@rdma), not 'alice'
job.service unlimited|memlock takes @GROUP (@rdma), not 'job.service'
@rdma 64|not '64'
@* 64M|memlock takes @GROUP (@rdma), not '@*'
@rdma 64M x|Usage: nm-ib host memlock
@rdma 64M --now|unknown option '--now'
END
set +f
check "memlock @rdma 64M --dry-run: prints the line" prints -x '@rdma - memlock 65536' nm-ib host memlock @rdma 64M --dry-run
expect_host_files

check "login of alice: cannot lock $much MiB by default" not su alice -c "locks $much"
check "user unit of alice: cannot lock $much MiB by default" not unit $much
check "memlock @rdma unlimited: writes the setting" host_changes true memlock @rdma unlimited
check "memlock @rdma unlimited: second run changes nothing" host_changes false memlock @rdma unlimited
check "memlock @rdma unlimited: su locks $much MiB" su alice -c "locks $much"
check "memlock @rdma unlimited: runuser locks $much MiB" runuser -u alice -- locks $much
check "memlock @rdma unlimited: names what the limit does not apply to" said LimitMEMLOCK=infinity @rdma unlimited
check "memlock @rdma unlimited: a user unit cannot lock $much MiB before the restart" not unit $much
must systemctl restart "user@$uid"
check "memlock @rdma unlimited: a user unit locks $much MiB after the restart" unit $much
check "host list: @rdma unlimited is set by nm-ib" host_row SETTING,BY_NM_IB,NEEDS "@rdma unlimited:yes:"
check "memlock @rdma 4M: names the later file that overrides it" eval "echo '@rdma - memlock 65536' >/etc/security/limits.d/95-mine.conf; said '/etc/security/limits.d/95-mine.conf is read later and overrides it' @rdma 4M"
check "host list: names the later file that overrides @rdma 4M, and shows its setting" eval "host_row SETTING,NEEDS '@rdma 4M:/etc/security/limits.d/95-mine.conf is read later and overrides it' && host_row SETTING,BY_NM_IB '@rdma 64M:no'"
rm /etc/security/limits.d/95-mine.conf
check "memlock @rdma 4M: su locks 3 MiB and not 5 MiB" eval 'su alice -c "locks 3" && not su alice -c "locks 5"'
check "memlock @rdma unset: removes the setting" host_changes true memlock @rdma unset
check "memlock @rdma unset: second run changes nothing" host_changes false memlock @rdma unset
must systemctl restart "user@$uid"
check "memlock @rdma unset: a user unit cannot lock $much MiB after the restart" not unit $much
check "memlock @rdma unset: a new login has the limit from before" is "$(limit)" "$before"
expect_host_files

check "job.service: locks no 64 MiB by default" test ! -e /run/job/locked
mkdir -p /etc/systemd/system/job.service.d
printf '[Service]\nLimitMEMLOCK=infinity\n' >/etc/systemd/system/job.service.d/memlock.conf
must systemctl daemon-reload
must systemctl restart job
check "drop-in of docs/host.md, job.service restarted: locks 64 MiB" eventually test -e /run/job/locked
