# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor on what runs beside: the end of waiting for the network, units that failed, what the kernel's log tells
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad

# A boot where the subnet manager comes late: what waits for the network does not wait for it.
fabric sm_absent=1
nm_start
profile storage ifname ib0 connection.autoconnect yes
must systemctl start NetworkManager-wait-online
sleep 2
echo 0 >/sys/module/softhca/parameters/sm_absent
hca event mlx4_0 1 sm
hca event mlx4_0 1 rereg
expect_carrier ib0 1
if dmesg | grep -qF 'ib0: link becomes ready'; then # Linux 6.12 does not log it any more
    check "the wait for the network ended before the carrier" eventually doctor_finds wait-online-early 1
    check "  with what to write" eval "nm-ib doctor | grep -F carrier-wait-timeout=60000"
fi
must systemctl stop NetworkManager-wait-online
must systemctl start NetworkManager-wait-online
check "  and gone when the wait began with it" eventually doctor_healthy

printf '[Service]\nExecStart=/bin/false\n' >/run/systemd/system/opensm@lab.service
systemctl daemon-reload
systemctl start opensm@lab
check "a unit of the fabric that failed" eventually doctor_finds unit-failed 4
check "  with what to do" eval "nm-ib doctor | grep -Ex ' +systemctl restart opensm@lab.service'"
systemctl reset-failed opensm@lab
check "  and gone" doctor_healthy

echo "Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7" >/dev/kmsg
check "a module that is not signed, from the kernel's log" eval "nm-ib doctor | grep -F '[module-not-signed]'"
echo "rpcrdma: local length error" >/dev/kmsg
check "NFS over RDMA that sends too much, from the kernel's log" eval "nm-ib doctor | grep -F '[nfs-rdma-length]'"
