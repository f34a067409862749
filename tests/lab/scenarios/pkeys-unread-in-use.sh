# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: with a carrier the daemon opens no file of the P_Key table; without a carrier it does, to log the reason
# with: plugin
# alone: the table is not opened, and nothing is logged
. ./lib.sh
fabric
nm_start
child c ib0 0x8002 transport-mode datagram
child d ib0 0x8005 transport-mode datagram
cat >/run/watch.py <<'END'
import ctypes, os
libc = ctypes.CDLL(None)
fd = libc.inotify_init()
IN_OPEN = 0x20
libc.inotify_add_watch(fd, b"/sys/class/infiniband/mlx4_0/ports/1/pkeys", IN_OPEN)
open("/run/watching", "w")
os.read(fd, 4096)
open("/run/opened", "w")
END
python3 /run/watch.py &
must eventually test -e /run/watching
expect_up c
expect_carrier ib0.8002 1
check "child with a carrier: the P_Key table is not opened" never 3 test -e /run/opened
up d >/dev/null
expect_journal 'nm-ib: ib0\.8005: P_Key 0x8005 is not in the P_Key table of mlx4_0 port 1'
check "child without a carrier: the P_Key table was opened" test -e /run/opened
