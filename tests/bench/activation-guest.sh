# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# Activations of an InfiniBand and a veth profile in the lab's guest, on ib_ipoib, with systemd and the installed product.
. ./lib.sh
trap - EXIT
export BENCH=$PWD
DISPATCHER_D=/usr/lib/NetworkManager/dispatcher.d
cp $DISPATCHER_D/10-nm-ib "$BENCH/"
PROFILES='ib0 6c7dcff2-4b8c-4c38-9c6b-1f6f2b7d7a10 ib
v0 0b1e0c1a-1d0f-4b8e-9a55-0f4f7a0c6a01 veth'
object=/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so

chmod 755 bench-activation
for p in profile profile-veth; do install -m 600 $p /etc/NetworkManager/system-connections/$p.nmconnection; done
fabric
must ip link add v0 type veth peer name v1
must ip link set v1 up

plugin() { if [ "$1" = on ]; then mv -f $object.off $object; else mv -f $object $object.off; fi 2>/dev/null || true; }
daemon_stop() { must systemctl stop NetworkManager; }
daemon_start() {
    systemctl reset-failed
    nm_start
    must nmcli device set v0 managed yes
    must eventually grep -q 1 "$NET"/ib0/carrier
    sleep 2
}
read -r blocks samples <rounds
. ./activation.sh
measure "$blocks" "$samples" 200 '' _up _preup
