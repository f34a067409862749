# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor: services beside NetworkManager: wait-online that ended early, failed units, the kernel's log
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
nagios_is_critical() {
    local code=0 line
    line=$(nm-ib doctor --nagios) || code=$?
    is "$code ${line%%|*}" "2 INFINIBAND CRITICAL - NetworkManager.service is enabled, but not running [networkmanager-stopped], NetworkManager is not running "
}

# A boot with a late subnet manager: NetworkManager-wait-online ends before the carrier.
fabric sm_absent=1
nm_start
profile storage ifname ib0 connection.autoconnect yes
must systemctl start NetworkManager-wait-online
sleep 2
echo 0 >/sys/module/softhca/parameters/sm_absent
hca event mlx4_0 1 sm
hca event mlx4_0 1 rereg
expect_carrier ib0 1
if dmesg | grep -qF 'ib0: link becomes ready'; then # Linux 6.12 no longer logs this
    check "wait-online ended before the carrier: wait-online-early, exit 1" eventually doctor_finds wait-online-early 1
    check "wait-online ended before the carrier: names the carrier-wait-timeout to set" prints -s 1 carrier-wait-timeout=60000 nm-ib doctor
fi
must systemctl stop NetworkManager-wait-online
must systemctl start NetworkManager-wait-online
check "wait-online started after the carrier: no finding" eventually doctor_healthy

must systemctl enable NetworkManager
nm_stop
check "NetworkManager stopped and enabled: networkmanager-stopped, exit 4" doctor_finds networkmanager-stopped 4
check "NetworkManager stopped and enabled, --nagios: CRITICAL, exit 2" nagios_is_critical
must systemctl disable NetworkManager
check "NetworkManager stopped and disabled: no finding, exit 0" doctor_finds "" 0
nm_start
expect_up storage

printf '[Service]\nExecStart=/bin/false\n' >/run/systemd/system/opensm@lab.service
systemctl daemon-reload
systemctl start opensm@lab
check "failed opensm unit: unit-failed, exit 4" eventually doctor_finds unit-failed 4
check "failed opensm unit: names the systemctl command" prints -s 4 -E -x ' +systemctl restart opensm@lab.service' nm-ib doctor
systemctl reset-failed opensm@lab
check "failed opensm unit reset: no finding" doctor_healthy

echo "Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7" >/dev/kmsg
check "kernel log, unsigned module, none is missing: no finding" doctor_healthy
must modprobe -r ib_umad
check "kernel log, unsigned module: module-not-signed" prints -s 1 '[module-not-signed]' nm-ib doctor
echo "rpcrdma: local length error" >/dev/kmsg
check "kernel log, NFS over RDMA local length error: nfs-rdma-length" prints -s 1 '[nfs-rdma-length]' nm-ib doctor
