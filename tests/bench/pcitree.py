#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""pcitree.py DIRECTORY COUNT: writes the files of COUNT PCI functions that lspci reads in /sys/bus/pci/devices. The last is
a ConnectX of revision A0; the others are usual functions of a server: bridges, uncore functions, network and storage."""

import os
import struct
import sys

OTHERS = [  # vendor, device, class
    (0x8086, 0x2030, 0x060400), (0x8086, 0x2034, 0x088000), (0x8086, 0x2054, 0x110100), (0x8086, 0x2066, 0x088000),
    (0x8086, 0xA1B0, 0x060400), (0x8086, 0x37D1, 0x020000), (0x8086, 0x0A54, 0x010802), (0x1000, 0x005D, 0x010400),
    (0x10DE, 0x1DB6, 0x030200), (0x14E4, 0x165F, 0x020000)]
OLD_CARD = (0x15B3, 0x634A, 0x0C0600)


def function(path, vendor, device, kind, revision):
    os.makedirs(path)
    config = struct.pack("<HHHHB3sBBBB", vendor, device, 0x0406, 0x10, revision, kind.to_bytes(3, "little"), 16, 0, 0, 0)
    files = {"vendor": f"{vendor:#06x}\n", "device": f"{device:#06x}\n", "class": f"{kind:#08x}\n",
             "revision": f"{revision:#04x}\n", "irq": "16\n", "subsystem_vendor": "0x0000\n", "subsystem_device": "0x0000\n",
             "resource": "0x0000000000000000 0x0000000000000000 0x0000000000000000\n" * 13}
    for name, text in files.items():
        with open(f"{path}/{name}", "w", encoding="ascii") as f:
            f.write(text)
    with open(f"{path}/config", "wb") as f:
        f.write(config.ljust(256, b"\0"))


def main():
    directory, count = sys.argv[1], int(sys.argv[2])
    for i in range(count):
        last = i == count - 1
        address = f"0000:{i // 32:02x}:{i % 32:02x}.0"
        function(f"{directory}/{address}", *(OLD_CARD if last else OTHERS[i % len(OTHERS)]), 0xA0 if last else 0x04)


main()
