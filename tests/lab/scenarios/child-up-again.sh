# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a child is activated again while it is up: the earlier event "down" does not remove the child
# with: plugin+dispatcher plugin dispatcher
# alone: NetworkManager does this by itself
. ./lib.sh
fabric
nm_start
child c ib0 0x8002 transport-mode datagram ipv4.method manual ipv4.addresses 198.51.100.1/24
expect_up c
for _ in 1 2 3; do
    expect_up c
    check "ib0.8002: stays when it is activated again" never 2 test ! -e $NET/ib0.8002
    expect_state ib0.8002 connected
done
expect_down c
expect_no_link ib0.8002
expect_no_journal 'had left it behind'
