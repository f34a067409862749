#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# activation-host.sh DIRECTORY STAGE BLOCKS SAMPLES: samples of the activation of a veth profile by the NetworkManager of
# this machine, in separate namespaces (sandbox.sh) and on a private bus without other services.
set -eu
BENCH=$1 stage=$2
DISPATCHER_D=/etc/NetworkManager/dispatcher.d
cp "$stage/usr/lib/NetworkManager/dispatcher.d/10-nm-ib" "$BENCH/"
PROFILES='v0 0b1e0c1a-1d0f-4b8e-9a55-0f4f7a0c6a01 veth'
object=$stage/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so
version=$(NetworkManager --version | sed 's/-.*//')
plugins=$(echo /usr/lib/*/NetworkManager/"$version")
for f in "$plugins" "$object"; do
    [ -e "$f" ] || { echo "activation-host.sh: there is no $f" >&2 && exit 1; }
done

for d in /run /var/lib/NetworkManager /etc/NetworkManager "$plugins"; do mount -t tmpfs tmpfs "$d"; done
mount -o remount,ro /sys # so that NetworkManager does not wait for udev
mkdir -p /run/dbus $DISPATCHER_D/{pre-up,pre-down,no-wait}.d /etc/NetworkManager/system-connections
cat >/etc/NetworkManager/NetworkManager.conf <<'C'
[main]
plugins=keyfile
auth-polkit=false
no-auto-default=*
dns=none
rc-manager=unmanaged
hostname-mode=none
[logging]
level=WARN
C
cat >/run/dbus/org.freedesktop.nm_dispatcher.service <<C
[D-BUS Service]
Name=org.freedesktop.nm_dispatcher
Exec=$(echo /usr/l*/NetworkManager/nm-dispatcher)
User=root
C
cat >/run/dbus/bus.conf <<'C'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><servicedir>/run/dbus</servicedir>
<policy context="default"><allow user="*"/><allow own="*"/>
<allow send_type="method_call"/><allow send_type="signal"/><allow send_type="method_return"/><allow send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="signal"/><allow receive_type="method_return"/>
<allow receive_type="error"/></policy></busconfig>
C
install -m 600 "$BENCH/profile-veth" /etc/NetworkManager/system-connections/veth.nmconnection
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket
dbus-daemon --config-file=/run/dbus/bus.conf --nofork --nopidfile 2>/run/dbus/log &
bus=$! daemon=''
trap 'kill $daemon $bus $(pidof nm-dispatcher) 2>/dev/null; wait' EXIT
until [ -S /run/dbus/system_bus_socket ]; do sleep 0.1; done
ip link add v0 type veth peer name v1
ip link set v1 up

plugin() {
    rm -f "$plugins"/libnm-device-plugin-infiniband.so
    [ "$1" = off ] || ln -s "$object" "$plugins/"
}
daemon_stop() { [ -z "$daemon" ] || { kill "$daemon" && wait "$daemon"; } || true; }
daemon_start() {
    NetworkManager --no-daemon >>/run/nm.log 2>&1 &
    daemon=$!
    nm-online -sqt 60
    until nmcli -g GENERAL.STATE device show v0 2>/dev/null | grep -q '^30'; do sleep 0.1; done
}
# shellcheck source=tests/bench/activation.sh
. "$BENCH/activation.sh"
measure "$3" "$4" 30 '' '' '' _up _up _preup _nothing _cold _preup_cold # variants with a narrow goal twice or more
