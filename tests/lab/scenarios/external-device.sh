# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: an interface that the administrator set up by hand stays as it is
# with: plugin+dispatcher plugin dispatcher
# alone: the interface stays as it is
. ./lib.sh
fabric
echo connected >$NET/ib0/mode
must ip address add 192.0.2.1/24 dev ib0
must ip link set ib0 mtu 3000
must ip link set ib0 up
nm_start
expect_state ib0 "connected (externally)"
check "ib0: mode and MTU that were set by hand stay" stays prints_only $'connected\n3000' cat $NET/ib0/mode $NET/ib0/mtu
expect_tso ib0 "off [requested on]"
expect_nm_alive
