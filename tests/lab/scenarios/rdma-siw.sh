# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: rdma.soft-rdma siw: refused by a kernel without siw; with the module, a device that carries data, until none
# with: dispatcher+cli
# releases: (bookworm) (trixie)
# files: siw.ko
. ./lib.sh
nm_start
modprobe rdma_ucm
must ip link add ve0 type veth peer name ve1
must ip link set ve1 up
states() { [ ! -e /run/NetworkManager/nm-infiniband ] || find /run/NetworkManager/nm-infiniband -type f -exec cat {} +; }
device() { ls /sys/class/infiniband 2>/dev/null | paste -sd ' '; }
expect_devices() { check "RDMA devices: $1" eventually_is "$1" device; }
expect_devices_stay() { check "RDMA devices: $1 stays" stays prints_only "$1" device; }
must nm-ib connection add type ethernet con-name v ifname ve0 autoconnect no ipv4.method manual ipv4.addresses 10.9.0.1/24 ipv6.method disabled \
    rdma.soft-rdma siw
nmcli device set ve0 managed yes
journal_mark
expect_up v
expect_journal 've0: RDMA device siw_ve0: this kernel makes no device of type siw on ve0 \(modprobe siw'
check "siw, kernel without it: no device in the state file" settled prints_no 'soft siw_ve0' states
must cp "$JOB/siw.ko" "/lib/modules/$(uname -r)/"
must depmod
journal_mark
expect_up v
expect_journal "ve0: RDMA device siw_ve0 made on ve0 \(profile 'v'\)"
expect_devices siw_ve0
check "siw: nm-ib port shows it as iWARP" eventually prints -x 'siw_ve0/1:iWARP:ve0' nm-ib -t -f PORT,LINK_LAYER,INTERFACE port
rping -s -a 10.9.0.1 -C 3 >/dev/null 2>&1 &
check "siw: RDMA writes and reads pass" eventually timeout 20 rping -c -a 10.9.0.1 -C 3
must nm-ib connection modify v rdma.roce-tos 8
journal_mark
expect_up v
expect_journal 've0: rdma.roce-tos has no effect on siw_ve0/1, which is not a RoCE port'
expect_down v
expect_devices_stay siw_ve0
must nm-ib connection modify v rdma.soft-rdma none rdma.roce-tos ''
expect_up v
expect_devices ''
check "siw removed: no state is left" eventually prints_no siw_ve0 states
expect_nm_alive
expect_clean_kernel_log
