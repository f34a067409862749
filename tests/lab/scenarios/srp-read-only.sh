# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: SRP is shown and judged, and left alone: the initiator of each port, its daemon
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric ports=1
shown() { nm-ib -g "$1" port show mlx4_0/1; }
finds() { nm-ib doctor | grep -F "[$1]"; }
unit=srp_daemon_port@mlx4_0:1.service

check "without ib_srp there is nothing to show" is "$(shown SRP)" ""
check "  nor to judge" not finds srp-daemon-inactive
must modprobe ib_srp
check "the initiator of the port" eventually eval "is \"\$(shown SRP.INITIATOR)\" srp-mlx4_0-1"
check "  for machines" eval "nm-ib port show mlx4_0/1 --json | python3 -c 'import json,sys; p=json.load(sys.stdin)[\"ports\"][0]; assert (p[\"srp_initiator\"], p[\"srp_daemon\"]) == (\"srp-mlx4_0-1\", None), p'"
check "  a daemon that nobody wants is not missed" not finds srp-daemon-inactive
must systemctl start srp_daemon
check "srp_daemon ends without an error where libibverbs has no device, and is missed" eventually finds srp-daemon-inactive
check "  with the unit that has the reason" eventually eval "nm-ib doctor | grep -F ${unit%.service}"
mkdir -p "/run/systemd/system/$unit.d"
printf '[Unit]\nBindsTo=\nAfter=\n[Service]\nExecStart=\nExecStart=/bin/sleep infinity\n' >"/run/systemd/system/$unit.d/stays.conf"
systemctl daemon-reload
systemctl start --no-block "$unit" # where no udev rule makes the device's unit it would wait
check "one that stays" eventually eval "is \"\$(shown SRP.DAEMON)\" active"
check "  and all is well" not finds srp-daemon-inactive
systemctl stop srp_daemon "$unit"
check "without the service nobody is missed" not finds srp-daemon-inactive
expect_clean_kernel_log
