#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""ports.py NM-IB RECIPE ROUNDS: compares nm-ib port with the usual script and ibstat, on trees of large machines.

Runs in separate namespaces, with files over /sys, and TUN interfaces of InfiniBand's type for the dump of rtnetlink. Prints samples
for judge.py; with --opens, the number of files that each program opens for a port, counted by strace."""

import fcntl
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

TUNSETIFF, TUNSETPERSIST, TUNSETLINK, IFF_TUN_NO_PI, ARPHRD_INFINIBAND = 0x400454CA, 0x400454CB, 0x400454CD, 0x1001, 32
P_KEYS = 128


def own_namespaces():
    if "NMIB_BENCH_PORTS" not in os.environ:
        os.environ["NMIB_BENCH_PORTS"] = "1"
        os.execvp("unshare", ["unshare", "--net", "--mount", "--propagation", "private", sys.executable, *sys.argv])


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as f:
        f.write(text + "\n")


def link(path, target):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(os.path.relpath(target, os.path.dirname(path)), path)


def interface(name):
    fd = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN_NO_PI))
    fcntl.ioctl(fd, TUNSETPERSIST, 1)
    fcntl.ioctl(fd, TUNSETLINK, ARPHRD_INFINIBAND)
    os.close(fd)


def port(directory, number, guid):
    for name, text in {"link_layer": "InfiniBand", "state": "4: ACTIVE", "phys_state": "5: LinkUp", "rate": "100 Gb/sec (4X EDR)",
                       "lid": "0x3", "lid_mask_count": "0", "sm_lid": "0x1", "sm_sl": "0", "cap_mask": "0x02514868",
                       "gids/0": f"fe80:0000:0000:0000:0002:c903:00{guid >> 8:02x}:{guid & 255:02x}0{number}"}.items():
        write(f"{directory}/{name}", text)
    for i in range(P_KEYS):
        write(f"{directory}/pkeys/{i}", "0xffff" if i == 0 else "0x0000")


def tree(top, hcas):
    for h in range(hcas):
        bus = f"{top}/devices/pci0000:00/0000:{h:02x}:00.0"
        device = f"{bus}/infiniband/mlx5_{h}"
        for name, text in {"resource": f"0x{h:016x} 0x{h + 1:016x} 0x0000000000000200", "vendor": "0x15b3", "device": "0x1017"}.items():
            write(f"{bus}/{name}", text)
        for name, text in {"node_type": "1: CA", "node_guid": f"0002:c903:00{h:02x}:0000", "sys_image_guid": f"0002:c903:00{h:02x}:0003",
                           "fw_ver": "16.35.2000", "hw_rev": "0", "hca_type": "MT4119", "board_id": "MT_0000000010"}.items():
            write(f"{device}/{name}", text)
        link(f"{device}/device", bus)
        link(f"{top}/class/infiniband/mlx5_{h}", device)
        for p in (1, 2):
            port(f"{device}/ports/{p}", p, h)
            name = f"ib{2 * h + p - 1}"
            for file, text in {"dev_port": str(p - 1), "carrier": "1", "type": "32"}.items():
                write(f"{bus}/net/{name}/{file}", text)
            link(f"{bus}/net/{name}/device", bus)
            link(f"{top}/class/net/{name}", f"{bus}/net/{name}")


class Machine:
    """The files of a machine with this many cards, while the context lasts."""

    def __init__(self, hcas):
        self.top = tempfile.mkdtemp(dir="/dev/shm")
        tree(self.top, hcas)

    def __enter__(self):
        subprocess.run(["mount", "--bind", self.top, "/sys"], check=True)
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "/sys"], check=True)
        shutil.rmtree(self.top)


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=command[-1] != "doctor")
    return time.perf_counter() - start


def opens(command):
    with tempfile.NamedTemporaryFile("r") as trace:
        subprocess.run(["strace", "-f", "-qq", "-e", "trace=open,openat,openat2", "-o", trace.name, *command], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=command[-1] != "doctor")
        return sum(1 for line in trace if re.search(r"open(at2?)?\(", line))


def main():
    own_namespaces()
    nm_ib, recipe = sys.argv[1:3]
    rounds = int(sys.argv[3])
    ours, doctor, ibstat, script = [nm_ib, "port"], [nm_ib, "doctor"], ["ibstat"], ["/bin/bash", recipe]
    for n in range(128):
        interface(f"ib{n}")
    if "--opens" in sys.argv:
        for r in range(6):
            few, many = [], []
            for hcas, counts in ((1, few), (64, many)):
                with Machine(hcas):
                    counts += [opens(ours), opens(ibstat), opens(doctor)]
            for name, a, b in zip(("ours", "ibstat", "doctor"), few, many):
                print(f"{r}\t{name}_opens\t{(b - a) / 126:.2f}")
        return
    for r in range(rounds):
        for hcas, commands in ((8, {"script": script, "ours": ours}), (32, {"script": script, "ours": ours}),
                               (64, {"ibstat": ibstat, "ours": ours, "doctor": doctor})):
            with Machine(hcas):
                for name, command in commands.items():
                    print(f"{r}\t{name}{hcas}\t{seconds(command) * 1000:.3f}", flush=True)


main()
