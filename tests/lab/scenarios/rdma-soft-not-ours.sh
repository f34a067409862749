# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.soft-rdma: a helper that is killed during the creation, devices made by others, types that the kernel lacks
# with: dispatcher+cli
# releases: bookworm (trixie)
. ./lib.sh
nm_start
must ip link add ve0 type veth peer name ve1
must ip link set ve1 up
udevadm settle
device() { ls /sys/class/infiniband 2>/dev/null | paste -sd ' '; }
expect_devices() { check "RDMA devices: $1" eventually_is "$1" device; }
expect_devices_stay() { check "RDMA devices: $1 stays" stays prints_only "$1" device; }
must nm-ib connection add type ethernet con-name v ifname ve0 autoconnect no ipv4.method manual ipv4.addresses 10.9.0.1/24 ipv6.method disabled \
    802-3-ethernet.accept-all-mac-addresses default
nmcli device set ve0 managed yes

# The helper is killed during the creation: the kernel loads the module, and the script in its place kills the helper.
rmmod rdma_rxe 2>/dev/null
printf '#!/bin/sh\n/sbin/modprobe "$@"\nfor p in /proc/[0-9]*; do grep -qx nm-ib-dispatche "$p/comm" && kill -KILL "${p#/proc/}"; done\necho >/run/killed\n' >/run/modprobe
chmod +x /run/modprobe
modprobe_was=$(cat /proc/sys/kernel/modprobe)
echo /run/modprobe >/proc/sys/kernel/modprobe
must nm-ib connection modify v rdma.soft-rdma rxe
expect_up v
check "rdma.soft-rdma: the helper is killed during the creation" eventually test -e /run/killed
echo "$modprobe_was" >/proc/sys/kernel/modprobe
expect_up v
expect_devices rxe_ve0
must nm-ib connection modify v rdma.soft-rdma none
expect_up v
expect_devices ''

must rdma link add mine type rxe netdev ve0
expect_up v
expect_devices_stay mine
must nm-ib connection modify v rdma.soft-rdma rxe
journal_mark
expect_up v
expect_journal 'RDMA device rxe_ve0: ve0 already has a device of this type with another name'
must nm-ib connection modify v rdma.soft-rdma ''
expect_up v
expect_devices_stay mine
must rdma link delete mine
must ip link add ve2 type veth peer name ve3
must rdma link add rxe_ve0 type rxe netdev ve2
must nm-ib connection modify v rdma.soft-rdma rxe
journal_mark
expect_up v
expect_journal 'RDMA device rxe_ve0 is not made: another interface has a device of that name'
must rdma link delete rxe_ve0
modprobe siw 2>/dev/null || {
    must nm-ib connection modify v rdma.soft-rdma siw
    journal_mark
    expect_up v
    expect_journal 'RDMA device siw_ve0: this kernel makes no device of type siw on ve0'
}
check "rdma.soft-rdma on a VLAN: refused, names the VLAN's parent" refused_with 2 "VLAN's parent" nm-ib connection add type vlan con-name l dev ve0 id 7 ifname ve0.7 rdma.soft-rdma rxe

expect_clean_kernel_log
expect_nm_alive
