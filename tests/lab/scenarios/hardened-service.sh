# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the daemon and the dispatcher work with the restrictions of NetworkManager 1.58's units, which make openat2 unavailable
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm trixie
# alone: fails at the TSO of the port and of the child
. ./lib.sh
fabric
for unit in NetworkManager NetworkManager-dispatcher; do
    mkdir -p /run/systemd/system/$unit.service.d
    cat >/run/systemd/system/$unit.service.d/hardened.conf <<'END'
[Service]
PrivateTmp=true
ProtectClock=true
ProtectControlGroups=true
ProtectKernelLogs=true
ProtectSystem=true
RestrictRealtime=true
RestrictSUIDSGID=true
END
done
must systemctl daemon-reload
check "openat2 is unavailable under RestrictSUIDSGID" systemd-run -q --wait -p RestrictSUIDSGID=true python3 -c "
import ctypes, errno
ctypes.CDLL(None, use_errno=True).syscall(437, 0, 0, 0, 0)
exit(ctypes.get_errno() != errno.ENOSYS)"
nm_start
profile p ifname ib0 transport-mode connected mtu 65520
child c ib0 0x8002 transport-mode datagram
expect_up p
expect_mode ib0 connected
expect_mtu ib0 65520
expect_tso ib0 off
expect_up c
expect_mode ib0.8002 datagram
expect_mtu ib0.8002 2044
expect_tso ib0.8002 off
expect_no_journal 'Function not implemented|not possible|nm-ib: /'
expect_down c
expect_down p
expect_profile_kept p
expect_nm_alive
