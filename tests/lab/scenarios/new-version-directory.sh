# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the symlink is in the plugin directory of the running version; a stale one of another version is removed
# with: plugin+dispatcher plugin
# releases: bookworm trixie
# alone: no symlink
. ./lib.sh
object=/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so
plugin=libnm-device-plugin-infiniband.so
fabric
cd /usr/lib/*/NetworkManager || exit
version=$(NetworkManager --version | cut -d' ' -f1)
mkdir -p 1.0.0
ln -s $object 1.0.0/$plugin
ln -s /nowhere 1.0.0/libnm-device-plugin-other.so
check "before the first start: no symlink" not test -e "$version/$plugin"
nm_start
check "running version: has the symlink" is "$(readlink "$version/$plugin")" $object
check "other version: the stale symlink is removed" not test -L 1.0.0/$plugin
check "other version: another project's symlink stays" test -L 1.0.0/libnm-device-plugin-other.so
expect_journal 'Loaded device plugin: .*nm-device-plugin-infiniband|nm-ib: .*loaded'
nm_restart
check "second start: the symlink is still there" is "$(readlink "$version/$plugin")" $object
rm "$version/$plugin"
printf 'mine' >"$version/$plugin"
nm_restart
check "file of the administrator in place of the symlink: not replaced" is "$(cat "$version/$plugin")" mine
