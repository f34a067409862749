# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor checks the SRP daemon of each port, and changes nothing of SRP
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
fabric ports=1
unit=srp_daemon_port@mlx4_0:1.service

check "doctor without ib_srp: no srp-daemon-inactive" doctor_lacks srp-daemon-inactive
must modprobe ib_srp
check "doctor with ib_srp, srp_daemon not started: no srp-daemon-inactive" doctor_lacks srp-daemon-inactive
must systemctl start srp_daemon
check "doctor, srp_daemon ended since libibverbs has no device: srp-daemon-inactive" eventually doctor_has srp-daemon-inactive
check "doctor, srp_daemon ended: names the unit of the port" eventually prints -s 1 ${unit%.service} nm-ib doctor
mkdir -p "/run/systemd/system/$unit.d"
printf '[Unit]\nBindsTo=\nAfter=\n[Service]\nExecStart=\nExecStart=/bin/sleep infinity\n' >"/run/systemd/system/$unit.d/stays.conf"
systemctl daemon-reload
systemctl start --no-block "$unit" # without a udev rule for the device's unit, a blocking start would wait
check "doctor, srp_daemon of the port runs: no srp-daemon-inactive" eventually doctor_lacks srp-daemon-inactive
systemctl stop srp_daemon "$unit"
check "doctor, srp_daemon stopped: no srp-daemon-inactive" doctor_lacks srp-daemon-inactive
expect_clean_kernel_log
