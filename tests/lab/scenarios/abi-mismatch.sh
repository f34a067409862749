# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a NetworkManager with other class sizes: the plugin refuses to load, the dispatcher's helper does the work
# with: plugin+dispatcher
# releases: bookworm (trixie)
# alone: TSO stays on
. ./lib.sh
# files: libother-abi.so
# (preloaded into the daemon: NMDeviceFactory looks larger than it is)
fabric
mkdir -p /run/systemd/system/NetworkManager.service.d
cp libother-abi.so /usr/local/lib/
printf '[Service]\nEnvironment=LD_PRELOAD=/usr/local/lib/libother-abi.so\n' >/run/systemd/system/NetworkManager.service.d/abi.conf
must systemctl daemon-reload
nm_start
expect_journal 'unexpected ABI .*this NetworkManager is not supported, using built-in handling instead'
expect_helper_at_work
