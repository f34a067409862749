# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=bash
# title: a port that appears in a real initramfs has its name there and later
# with: cli
# releases: (bookworm) (trixie)
. ./lib.sh
image=/boot/initrd.img-$(uname -r)
case $PHASE in
1)
    fabric qpn_base=0x100
    hca_at_boot
    rm /etc/modules-load.d/softhca.conf # only the initramfs loads it
    printf '%s\n' virtio_pci virtio_blk ext4 'softhca qpn_base=0x200' ib_ipoib >/etc/initramfs-tools/modules
    echo MODULES=list >/etc/initramfs-tools/conf.d/lab
    # records the interfaces before the initramfs hands over
    cat >/etc/initramfs-tools/scripts/init-bottom/lab <<'EOF'
#!/bin/sh
[ "$1" != prereqs ] || exit 0
i=0
until [ -e /sys/class/net/mlx4_ib0 ] || [ $((i += 1)) -gt 100 ]; do sleep 0.1; done
echo /sys/class/net/* >/run/initramfs/links
EOF
    chmod 755 /etc/initramfs-tools/scripts/init-bottom/lab
    touch "$image" "/boot/vmlinuz-$(uname -r)" # a machine with a kernel and an initramfs
    name_port ib0 mlx4_ib0
    check "name set: the initramfs was built again" test -s "$image"
    must test -s "$image" # without it the guest does not boot
    reboot_guest
    ;;
2)
    check "mlx4_ib0: has its name in the initramfs" grep -w mlx4_ib0 /run/initramfs/links
    expect_name mlx4_ib0 0002:c903:000a:0001
    check "mlx4_ib0: has an address with another queue pair number" grep -q '^80:00:02:00:' $NET/mlx4_ib0/address
    check "name check: the name holds" nm-ib name check
    nm_start
    profile x ifname mlx4_ib0 transport-mode datagram
    expect_up x
    ;;
esac
