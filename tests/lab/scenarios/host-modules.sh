# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host modules: loads the modules that the cards need at boot, even without rdma-core's files; unset stops it
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
file=/etc/modules-load.d/90-nm-ib.conf
loaded() { for m; do grep -q "^$m " /proc/modules || { echo "$m"; return 1; }; done; }

case $PHASE in
1)
    hca_at_boot
    # like a machine without rdma-core, or with one older than version 16
    rm -rf /etc/rdma/modules
    systemctl -q mask rdma-load-modules@.service
    must modprobe softhca
    host_mark
    for words in ib_ipiob "unset unset" "--now" "../x" "ib_ipoib unset"; do
        check "host modules $words: refused" host_refuses modules $words
    done
    check "host modules without words: shows the usage, writes nothing" eval "nm-ib host modules | head -1 | grep -F NOUN"
    check "modules auto --dry-run: lists ib_umad" eval "nm-ib host modules auto --dry-run | grep -x ib_umad"
    expect_host_files
    check "modules auto rpcrdma: writes the setting" host_changes true modules auto rpcrdma
    check "modules auto rpcrdma: second run changes nothing" host_changes false modules auto rpcrdma
    check "modules auto rpcrdma: the file has the modules of the cards and rpcrdma" eval "is \"\$(grep -v ^# $file | paste -sd ' ')\" 'mlx4_ib ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma'"
    check "host list: names the modprobe command for what is not loaded" eval "nm-ib -g SETTING,BY_NM_IB,NEEDS host | grep -E '^mlx4_ib ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma:yes:modprobe -a .*rpcrdma'"
    check "modules unset: removes the setting" host_changes true modules unset
    check "modules unset: second run changes nothing" host_changes false modules unset
    expect_host_files
    echo '# mine' >$file
    check "modules unset, file of the administrator: refused" host_refuses modules unset
    check "modules auto, file of the administrator: refused" host_refuses modules auto
    check "modules, file of the administrator: unchanged" grep -x '# mine' $file
    rm $file
    check "modules auto rpcrdma, for the boot: writes the setting" host_changes true modules auto rpcrdma
    reboot_guest
    ;;
2)
    check "booted with the setting: the modules are loaded" eventually loaded ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma
    check "booted with the setting: systemd-modules-load is active" eval "is \"\$(systemctl is-failed systemd-modules-load)\" active"
    expect_link ib0
    # softhca has taken the driver's name: the card's own module finds no device and does not stay loaded.
    check "booted with the setting: the list shows mlx4_ib as not loaded" host_row SETTING,BY_NM_IB,IN_EFFECT "mlx4_ib ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma:yes:not loaded: mlx4_ib"
    check "booted with the setting: modules unset removes it" host_changes true modules unset
    host_files >/var/lib/lab/host-files
    reboot_guest
    ;;
3)
    check "booted without the setting: the card exists" eventually test -e /sys/class/infiniband/mlx4_0
    sleep 5
    # rdma-core loads its other modules by other ways
    for m in rdma_ucm rpcrdma; do check "booted without the setting: $m is not loaded" not loaded $m; done
    note "loaded: $(grep -oE '^(ib|rdma|rpc|iw|mlx)[a-z0-9_]*' /proc/modules | paste -sd ' ')"
    cp /var/lib/lab/host-files /run/host-files
    expect_host_files
    ;;
esac
