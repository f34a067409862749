# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: P_Key children of a named port: named after it, never renamed as the port, and up with NetworkManager
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
fabric
name_port ib0 mlx4_ib0
fabric_unload
fabric
expect_link mlx4_ib0
echo 0x8003 >$NET/mlx4_ib0/create_child
must ip link add link mlx4_ib0 name kid type ipoib pkey 0x8001
udevadm settle -t 20
expect_link mlx4_ib0.8003
for link in mlx4_ib0.8003 kid; do
    udevadm trigger --action=add $NET/$link
    udevadm settle -t 20
    check "$link: keeps its name after another event" test -e $NET/$link
    check "$link: matches the distribution's .link file" prints -E -x 'ID_NET_LINK_FILE=.*/99-default.link' udevadm info -q property $NET/$link
done
check "mlx4_ib0: the port keeps its name" test -e $NET/mlx4_ib0/create_child
nm_start
child c mlx4_ib0 0x8002 transport-mode datagram
expect_up c
expect_pkey mlx4_ib0.8002 0x8002
check "name check: the name holds" nm-ib name check
expect_down c
expect_no_link mlx4_ib0.8002
