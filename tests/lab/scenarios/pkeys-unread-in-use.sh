# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the daemon opens no file that the firmware answers, with and without a carrier
# with: plugin
# alone: passes
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
for path in b"ports/1", b"ports/1/pkeys", b"ports/1/gids":
    libc.inotify_add_watch(fd, b"/sys/class/infiniband/mlx4_0/" + path, IN_OPEN)
open("/run/watching", "w")
os.read(fd, 4096)
open("/run/opened", "w")
END
python3 /run/watch.py &
must eventually test -e /run/watching
expect_up c
expect_carrier ib0.8002 1
check "child with a carrier: no file of the port is opened" stays test ! -e /run/opened
up d >/dev/null
expect_link ib0.8005
port_state mlx4_0 1 down
pause 4
port_state mlx4_0 1 active
expect_carrier ib0.8002 1
check "child without a carrier, port without a carrier: no file of the port is opened" stays test ! -e /run/opened
cat /sys/class/infiniband/mlx4_0/ports/1/pkeys/0 >/dev/null
check "the control: a file that is opened is noticed" eventually test -e /run/opened
