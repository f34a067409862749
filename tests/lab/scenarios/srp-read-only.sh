# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: SRP is judged, and left alone: the daemon of each port
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric ports=1
finds() { nm-ib doctor | grep -F "[$1]"; }
unit=srp_daemon_port@mlx4_0:1.service

check "without ib_srp there is nothing to judge" not finds srp-daemon-inactive
must modprobe ib_srp
check "a daemon that nobody wants is not missed" not finds srp-daemon-inactive
must systemctl start srp_daemon
check "srp_daemon ends without an error where libibverbs has no device, and is missed" eventually finds srp-daemon-inactive
check "  with the unit that has the reason" eventually eval "nm-ib doctor | grep -F ${unit%.service}"
mkdir -p "/run/systemd/system/$unit.d"
printf '[Unit]\nBindsTo=\nAfter=\n[Service]\nExecStart=\nExecStart=/bin/sleep infinity\n' >"/run/systemd/system/$unit.d/stays.conf"
systemctl daemon-reload
systemctl start --no-block "$unit" # where no udev rule makes the device's unit it would wait
check "one that stays, and all is well" eventually not finds srp-daemon-inactive
systemctl stop srp_daemon "$unit"
check "without the service nobody is missed" not finds srp-daemon-inactive
expect_clean_kernel_log
