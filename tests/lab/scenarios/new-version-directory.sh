# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: the symlink is in the running version's plugin directory, the stale one of another version goes
# with: plugin+dispatcher (plugin)
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
check "no symlink before the first start" not test -e "$version/$plugin"
nm_start
check "the running version has it" is "$(readlink "$version/$plugin")" $object
check "the stale one is gone" not test -L 1.0.0/$plugin
check "another's file stays" test -L 1.0.0/libnm-device-plugin-other.so
expect_journal 'Loaded device plugin: .*nm-device-plugin-infiniband|nm-ib: .*loaded'
nm_restart
check "still there after another start" is "$(readlink "$version/$plugin")" $object
rm "$version/$plugin"
printf 'mine' >"$version/$plugin"
nm_restart
check "a file of the administrator is not replaced" is "$(cat "$version/$plugin")" mine
