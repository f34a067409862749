# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a read-only /usr: the symlink from the image build is enough; without it NetworkManager starts, and the journal has the remedy
# with: plugin
# releases: bookworm trixie
. ./lib.sh
maps() { cat "/proc/$(pidof NetworkManager)/maps"; }
read_only() {
    must mount --bind /usr /usr
    must mount -o remount,bind,ro /usr
}
must /usr/libexec/nm-infiniband/nm-ib-loader
read_only
nm_start
check "read-only /usr with the symlink: the plugin is loaded" prints libnm-device-plugin-infiniband maps
nm_stop
must umount -l /usr
must /usr/libexec/nm-infiniband/nm-ib-loader --remove
read_only
nm_start
check "read-only /usr without the symlink: NetworkManager runs without the plugin" prints_no libnm-device-plugin-infiniband maps
check "read-only /usr without the symlink: one line in the journal with the remedy" eval \
    "is \"\$(journalctl -b -o cat --no-pager | grep -c 'nm-ib-loader: .*: not made: the file system is read-only; in the build')\" 1"
expect_nm_alive
