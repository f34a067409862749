# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: after a real reboot with another queue pair number the port has its name, and its profile autoconnects
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
case $PHASE in
1)
    fabric qpn_base=0x100
    nm_start
    profile x ifname ib0 transport-mode datagram connection.autoconnect yes
    child c ib0 0x8002 transport-mode datagram connection.autoconnect yes
    check "name set --now: succeeds for the port, its profile and its P_Key child" nm-ib name set ib0 mlx4_ib0 --now
    expect_up x
    expect_up c
    nm_stop
    hca_at_boot qpn_base=0x200
    reboot_guest
    ;;
2)
    expect_name mlx4_ib0 0002:c903:000a:0001
    check "mlx4_ib0: has an address with another queue pair number" grep -q '^80:00:02:00:' $NET/mlx4_ib0/address
    check "name check: the name holds" nm-ib name check
    nm_start
    expect_state mlx4_ib0 connected
    expect_state mlx4_ib0.8002 connected
    ;;
esac
