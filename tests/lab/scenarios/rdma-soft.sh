# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.soft-rdma: a Soft-RoCE device is made with the profile, stays after down, and is removed with the word if nm-ib made it
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
    802-3-ethernet.accept-all-mac-addresses default rdma.soft-rdma rxe
nmcli device set ve0 managed yes
journal_mark
expect_up v
expect_devices rxe_ve0
expect_journal "ve0: RDMA device rxe_ve0 made on ve0 \(profile 'v'\)"
check "rxe_ve0: nm-ib port shows it with its interface" eventually prints -x 'rxe_ve0/1:ve0' nm-ib -t -f PORT,INTERFACE port
journal_mark
expect_up v
check "rxe_ve0, second up: nothing changes" _never_said "RDMA device"
expect_down v
expect_devices_stay rxe_ve0
expect_up v
must nm-ib connection modify v rdma.soft-rdma none
expect_up v
expect_devices ''

# The interface gets another name: nm-ib still owns the device, and the device stays.
must nm-ib connection modify v rdma.soft-rdma rxe
expect_up v
expect_devices rxe_ve0
expect_down v
must ip link set ve0 down
must ip link set ve0 name ve9
must ip link set ve9 up
must nm-ib connection modify v connection.interface-name ve9
nmcli device set ve9 managed yes
journal_mark
expect_up v
check "rxe_ve0, interface renamed: nothing changes" _never_said "RDMA device"
expect_devices rxe_ve0
must nm-ib connection modify v rdma.soft-rdma none
expect_up v
expect_devices ''
expect_down v
must ip link set ve9 down
must ip link set ve9 name ve0
must ip link set ve0 up
must nm-ib connection modify v connection.interface-name ve0
nmcli device set ve0 managed yes

expect_clean_kernel_log
expect_nm_alive
