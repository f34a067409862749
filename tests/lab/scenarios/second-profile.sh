# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: two profiles on the same device, activated in turn: each is applied
# with: plugin+dispatcher plugin dispatcher
# releases: bookworm (trixie)
# alone: modes and MTUs as here, TSO on
. ./lib.sh
fabric
nm_start
profile c ifname ib0 transport-mode connected mtu 65520
profile d ifname ib0 transport-mode datagram mtu 2044
for _ in 1 2; do
    expect_up c
    expect_mode ib0 connected
    expect_mtu ib0 65520
    expect_up d
    expect_mode ib0 datagram
    expect_mtu ib0 2044
    expect_tso ib0 off
done
if has dispatcher; then
    # "up" of the previous profile, delayed by a slow script
    must env CONNECTION_ID=c CONNECTION_UUID="$(nmcli -g connection.uuid connection show c)" CONNECTION_FILENAME="$(_file c)" \
        /usr/libexec/nm-infiniband/nm-ib-dispatcher ib0 up
    check "ib0: a late event changes neither mode nor MTU" is "$(cat $NET/ib0/mode $NET/ib0/mtu)" $'datagram\n2044'
fi
expect_profile_kept c
expect_profile_kept d
