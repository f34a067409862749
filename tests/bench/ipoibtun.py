#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""ipoibtun.py NAME...: makes TUN interfaces of InfiniBand's ARPHRD type, 32, with a 20-byte address. Rtnetlink, ethtool and the
offload code of the kernel work as for any other interface; files stand for the sysfs files of ib_ipoib and the HCA."""

import fcntl
import os
import struct
import sys

TUNSETIFF, TUNSETPERSIST, TUNSETLINK, TUNSETOFFLOAD = 0x400454CA, 0x400454CB, 0x400454CD, 0x400454D0
TUN_F_CSUM_TSO = 7
IFF_TUN_NO_PI = 0x1001
ARPHRD_INFINIBAND = 32
IPOIB = {"mode": "datagram", "dev_port": "0", "device/vendor": "0x15b3", "device/device": "0x634a",
         "device/revision": "0xa0", "device/infiniband/mlx4_0/hw_rev": "a0",
         "device/infiniband/mlx4_0/ports/1/state": "4: ACTIVE", "device/infiniband/mlx4_0/ports/1/sm_lid": "0x1"}
KERNEL = ("type", "ifindex", "carrier_changes", "mtu", "address")


def add(name):
    fd = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN_NO_PI))
    fcntl.ioctl(fd, TUNSETPERSIST, 1)
    fcntl.ioctl(fd, TUNSETLINK, ARPHRD_INFINIBAND)
    fcntl.ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM_TSO)
    os.close(fd)


def shadow(name):
    """Mounts a tmpfs over the sysfs directory of the interface, with the files of an IPoIB interface."""
    directory = f"/sys/class/net/{name}"
    files = dict(IPOIB)
    for key in KERNEL:
        with open(f"{directory}/{key}", encoding="ascii") as f:
            files[key] = f.read().strip()
    target = os.path.realpath(directory)
    if os.spawnlp(os.P_WAIT, "mount", "mount", "-t", "tmpfs", "tmpfs", target):
        raise SystemExit(f"ipoibtun.py: {target}: cannot mount")
    for key, text in files.items():
        os.makedirs(os.path.dirname(f"{target}/{key}"), exist_ok=True)
        with open(f"{target}/{key}", "w", encoding="ascii") as f:
            f.write(text + "\n")
    os.symlink("../../bus/pci/drivers/mlx4_core", f"{target}/device/driver")


for interface in sys.argv[1:]:
    add(interface)
    shadow(interface)
