# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: docs/host.md: a file in modules-load.d loads the modules that a card needs at boot, without rdma-core's files
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
modules=(ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma)
loaded() { for m; do grep -q "^$m " /proc/modules || { echo "$m"; return 1; }; done; }

case $PHASE in
1)
    hca_at_boot
    # like a machine without rdma-core, or with one older than version 16
    rm -rf /etc/rdma/modules
    systemctl -q mask rdma-load-modules@.service
    must modprobe softhca
    check "doctor, ib_umad not loaded: names the directory of the file" eval "modprobe -r ib_umad; doctor_has no-umad-module && prints modules-load.d doctor_text"
    printf '%s\n' mlx4_ib "${modules[@]}" >/etc/modules-load.d/infiniband.conf
    reboot_guest
    ;;
2)
    check "booted with the file: the modules are loaded" eventually loaded "${modules[@]}"
    check "booted with the file: systemd-modules-load is active" prints_only -s 1 active systemctl is-failed systemd-modules-load
    expect_link ib0
    check "doctor, booted with the file: no module is missing" eval "doctor_lacks no-umad-module && doctor_lacks no-ipoib-module && doctor_lacks no-ucm-module && doctor_lacks no-uverbs-module"
    rm /etc/modules-load.d/infiniband.conf
    reboot_guest
    ;;
3)
    check "booted without the file: the card exists" eventually test -e /sys/class/infiniband/mlx4_0
    sleep 5
    # rdma-core loads its other modules by other ways
    for m in rdma_ucm rpcrdma; do check "booted without the file: $m is not loaded" not loaded $m; done
    ;;
esac
