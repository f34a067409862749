# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: G_DEBUG=fatal-warnings, where a GLib warning ends the daemon: our log lines do not end it, and have priority and fields
# with: plugin+dispatcher none
# releases: bookworm (trixie)
# alone: the daemon survives all of this
. ./lib.sh
fabric
mkdir -p /run/systemd/system/NetworkManager.service.d /etc/nm-infiniband
printf '[Service]\nEnvironment=G_DEBUG=fatal-warnings\n' >/run/systemd/system/NetworkManager.service.d/fatal.conf
must systemctl daemon-reload
printf '[main]\nplugin=perhaps\n' >/etc/nm-infiniband/nm-ib.conf
nm_start
profile x ifname ib0 transport-mode datagram mtu 4092
expect_up x
expect_mtu ib0 2044
expect_nm_alive
nm_stop
rename_link ib0 mlx4_ib0_11
nm_start
child c mlx4_ib0_11 0x8002 transport-mode datagram
expect_no_up c
expect_nm_alive
has plugin || exit 0
# warns TEXT FIELDS: the journal has such lines of NetworkManager, all with this priority and NM_DEVICE
warns() {
    is "$(journalctl -b -t NetworkManager -o json | jq -r --arg text "$1" \
        'select(.MESSAGE | strings | test("^nm-ib: .*" + $text)) | "\(.PRIORITY) \(.NM_DEVICE)"' | sort -u)" "$2"
}
check "mistake in nm-ib.conf: logged as a warning, without a device" warns 'plugin=perhaps is not valid' '4 null'
check "MTU that is too high: logged as a warning of ib0" warns 'MTU 4092 was requested' '4 ib0'
check "parent with a long name: logged as a warning, without a device" warns 'more than 10 characters' '4 null'
check "crash marker: plugin code is not running" is "$(cut -c1 /run/NetworkManager/nm-infiniband/crash-marker)" .
