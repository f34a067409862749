# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: nm-ib host modules: what the cards need is loaded at the next boot, also without what rdma-core brings; undone, it is not
# with: cli
# releases: bookworm (trixie)
. ./lib.sh
file=/etc/modules-load.d/90-nm-ib.conf
loaded() { for m; do grep -q "^$m " /proc/modules || { echo "$m"; return 1; }; done; }

case $PHASE in
1)
    hca_at_boot
    # as on a machine without rdma-core, or before its version 16
    rm -rf /etc/rdma/modules
    systemctl -q mask rdma-load-modules@.service
    must modprobe softhca
    host_mark
    for words in ib_ipiob "unset unset" "--now" "../x" "ib_ipoib unset"; do
        check "refused: host modules $words" host_refuses modules $words
    done
    check "the noun alone shows, and writes nothing" eval "nm-ib host modules | head -1 | grep -F NOUN"
    check "dry run" eval "nm-ib host modules auto --dry-run | grep -x ib_umad"
    expect_host_files
    check "what the cards need, and one more" host_changes true modules auto rpcrdma
    check "  twice is once" host_changes false modules auto rpcrdma
    check "  in the file of ours" eval "is \"\$(grep -v ^# $file | paste -sd ' ')\" 'mlx4_ib ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma'"
    check "  the list says what is not loaded yet" eval "nm-ib -g SETTING,BY_NM_IB,NEEDS host | grep -E '^mlx4_ib ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma:yes:modprobe -a .*rpcrdma'"
    check "undone" host_changes true modules unset
    check "  twice is once" host_changes false modules unset
    expect_host_files
    echo '# mine' >$file
    check "a file of somebody else's is not removed" host_refuses modules unset
    check "  nor written over" host_refuses modules auto
    check "  and stays" grep -x '# mine' $file
    rm $file
    check "and once more, for the boot" host_changes true modules auto rpcrdma
    reboot_guest
    ;;
2)
    check "after a boot all is loaded" eventually loaded ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma
    check "  nothing failed" eval "is \"\$(systemctl is-failed systemd-modules-load)\" active"
    expect_link ib0
    # The soft HCA has taken the driver's name, so that the card's own module finds nothing to do and does not stay.
    check "  the list says so" host_row SETTING,BY_NM_IB,IN_EFFECT "mlx4_ib ib_ipoib ib_umad ib_uverbs rdma_ucm rpcrdma:yes:not loaded: mlx4_ib"
    check "undone" host_changes true modules unset
    host_files >/var/lib/lab/host-files
    reboot_guest
    ;;
3)
    check "after a boot the card is there" eventually test -e /sys/class/infiniband/mlx4_0
    sleep 5
    # what rdma-core asks for by other ways is loaded all the same
    for m in rdma_ucm rpcrdma; do check "  and $m is not loaded" not loaded $m; done
    note "loaded: $(grep -oE '^(ib|rdma|rpc|iw|mlx)[a-z0-9_]*' /proc/modules | paste -sd ' ')"
    cp /var/lib/lab/host-files /run/host-files
    expect_host_files
    ;;
esac
