# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: after a real reboot the profiles autoconnect with their modes and MTUs
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: modes and MTU as here, TSO on
. ./lib.sh
case $PHASE in
1)
    fabric
    nm_start
    profile x ifname ib0 transport-mode connected mtu 65520 connection.autoconnect yes ipv4.method manual \
        ipv4.addresses 192.0.2.1/24
    child c ib0 0x8002 transport-mode datagram connection.autoconnect yes ipv4.method manual \
        ipv4.addresses 198.51.100.1/24
    must systemctl enable NetworkManager
    # the soft HCA is there before NetworkManager, like the driver of a real HCA
    must cp softhca.ko "/lib/modules/$(uname -r)/softhca.ko"
    must depmod
    echo softhca >/etc/modules-load.d/softhca.conf
    reboot_guest
    ;;
2)
    must systemctl start NetworkManager
    expect_state ib0 connected
    expect_mode ib0 connected
    expect_mtu ib0 65520
    expect_state ib0.8002 connected
    expect_mode ib0.8002 datagram
    expect_mtu ib0.8002 2044
    expect_tso ib0.8002 off
    expect_tso ib0 off
    expect_nm_alive
    expect_clean_kernel_log
    ;;
esac
