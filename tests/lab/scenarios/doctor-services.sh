# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: doctor on what runs beside: plugin, units that failed, the end of waiting for the network, names that do not hold
# with: plugin+dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
modprobe ib_umad
object=/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so
# finds ID... EXIT: just these, in any order, and that exit code
finds() {
    local code=0 ids
    nm-ib doctor --json >/run/found || code=$?
    ids=$(python3 -c 'import json; print(*sorted(f["id"] for f in json.load(open("/run/found"))["findings"]))')
    is "$ids $code" "$*"
}
healthy() { is "$(nm-ib doctor)" "Nothing is wrong." && finds "" 0; }

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
    check "the wait for the network ended before the carrier" eventually finds wait-online-early 1
    check "  with what to write" eval "nm-ib doctor | grep -F carrier-wait-timeout=60000"
fi
must systemctl stop NetworkManager-wait-online
must systemctl start NetworkManager-wait-online
check "  and gone when the wait began with it" eventually healthy

chmod 666 $object
nm_restart
check "a plugin that is installed and was refused" eventually finds plugin-not-loaded 1
chmod 644 $object
nm_restart
check "  and gone when it is loaded" eventually healthy
cp $object $object.new
mv $object.new $object
check "a plugin that was replaced while the daemon runs" finds plugin-older 1
nm_restart
check "  and gone after the restart" eventually healthy

printf '[Service]\nExecStart=/bin/false\n' >/run/systemd/system/opensm@lab.service
systemctl daemon-reload
systemctl start opensm@lab
check "a unit of the fabric that failed" eventually finds unit-failed 2
check "  with what it is for" eval "nm-ib doctor | grep -F 'subnet manager of a port'"
systemctl reset-failed opensm@lab
check "  and gone" healthy

name_port ib0 storage0
check "a name for the next boot is no fault" healthy
nm_stop
fabric_unload
must ip link add storage0 type dummy
fabric
nm_start
check "a name that somebody else has" eventually finds name-does-not-hold 1
must ip link del storage0
must nm-ib name unset storage0
echo "Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7" >/dev/kmsg
check "a module that is not signed, from the kernel's log" eval "nm-ib doctor | grep -F '[module-not-signed]'"
echo "rpcrdma: local length error" >/dev/kmsg
check "NFS over RDMA that sends too much, from the kernel's log" eval "nm-ib doctor | grep -F '[nfs-rdma-length]'"
