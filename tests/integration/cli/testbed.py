# SPDX-License-Identifier: LGPL-2.1-or-later
"""The machine of transcript.py: two cards as files over /sys, TUN interfaces that fake_kernel.cpp shows as ports, and directories of
their own for the files that nm-ib reads and writes. In the namespaces of the sandbox, after sandbox.enter()."""
import ctypes
import fcntl
import os
import pathlib
import shutil
import socket
import stat
import struct
import subprocess

import sandbox

TUNSETIFF, TUNSETPERSIST, TUNSETLINK, TUNSETIFINDEX = 0x400454CA, 0x400454CB, 0x400454CD, 0x400454DA
IFF_TUN_NO_PI, ARPHRD_INFINIBAND, CLONE_NEWUTS = 0x1001, 32, 0x04000000

# HCA, PCI address, driver, node GUID, ports, prefix of the hardware addresses, index of the first interface
CARDS = (("mlx4_0", "0000:05:00.0", "mlx4_core", "0002:c903:000a:0000", 2, "80:00:02:08", 701),
         ("mlx5_0", "0000:81:00.0", "mlx5_core", "0002:c903:000b:0000", 1, "00:00:10:07", 703))
# Each section begins with these directories as begin() makes them. A transcript has the changes in them.
WATCHED = ("/etc/systemd/network", "/etc/systemd/system", "/etc/udev/rules.d", "/etc/nm-infiniband", "/etc/sysctl.d", "/etc/modules-load.d", "/etc/rdma", "/etc/opensm",
           "/etc/default", "/etc/sysconfig", "/etc/iproute2", "/etc/NetworkManager/system-connections", "/etc/NetworkManager/conf.d",
           "/run/systemd/network", "/run/udev/data")
EMPTY = ("/usr/lib/systemd/network", "/usr/lib/udev/rules.d", "/usr/lib/sysctl.d", "/usr/lib/modules-load.d", "/usr/lib/systemd/system",
         "/usr/local/lib", "/usr/share/NetworkManager")
CALLS = f"{sandbox.OWN}/calls"
# Each writes its arguments to CALLS. It prints the file NAME.out in sandbox.OWN, and ends with the status in the file NAME.status.
RECORDERS = ("/usr/bin/udevadm", "/usr/bin/systemctl", "/usr/sbin/update-initramfs", "/usr/lib/udev/rdma_rename")
RECORDER = f"""#!/bin/sh
own={sandbox.OWN} name=${{0##*/}}
echo "$name $*" >>{CALLS}
[ ! -e $own/$name.out ] || cat $own/$name.out
[ ! -e $own/$name.status ] || {{ echo "$name: a line" >&2 && echo "$name: no such thing" >&2 && exit $(cat $own/$name.status); }}
"""


def enter():
    """Gives the sandbox a host name, and an /etc and a /usr that can be written."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUTS) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    socket.sethostname("node1")
    for directory in ("etc", "usr"):
        new, work = (f"{sandbox.OWN}/{directory}.{kind}" for kind in ("new", "work"))
        os.mkdir(new)
        os.mkdir(work)
        subprocess.run(["mount", "-t", "overlay", "-o", f"lowerdir=/{directory},upperdir={new},workdir={work}", "overlay", f"/{directory}"], check=True)
    for directory in EMPTY + WATCHED:
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
    os.chmod(sandbox.PROFILES, 0o700)
    sandbox.write_config()
    for path in RECORDERS:
        with open(path, "w", encoding="ascii") as f:
            f.write(RECORDER)
        os.chmod(path, 0o755)
    rows = []
    for _, _, _, node_guid, ports, prefix, index in CARDS:
        for number in range(ports):
            name = f"ib{index + number - 701}"
            interface(name, index + number)
            address = f"{prefix}:fe:80:00:00:00:00:00:00:{node_guid[:-1]}{number + 1}".replace(":", "")
            rows.append(f"link {name} {address} 0xffff -\n")
    write(f"{sandbox.OWN}/kernel", "".join(rows))
    os.environ["NMIB_FAKE_KERNEL"] = f"{sandbox.OWN}/kernel"


def interface(name, index):
    fd = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(fd, TUNSETIFINDEX, struct.pack("I", index))
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN_NO_PI))
    fcntl.ioctl(fd, TUNSETPERSIST, 1)
    fcntl.ioctl(fd, TUNSETLINK, ARPHRD_INFINIBAND)
    os.close(fd)


def write(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def link(path, target):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(os.path.relpath(target, os.path.dirname(path)), path)


def add_card(hca, bus, driver, node_guid, ports, prefix, index):
    function = f"/sys/devices/pci0000:00/{bus}"
    device = f"{function}/infiniband/{hca}"
    for name, text in {"vendor": "0x15b3", "device": "0x1017", "class": "0x020700", "revision": "0x00"}.items():
        write(f"{function}/{name}", text + "\n")
    for name, text in {"node_type": "1: CA", "node_guid": node_guid, "sys_image_guid": node_guid, "fw_ver": "16.35.2000", "hw_rev": "0",
                       "hca_type": "MT4119", "board_id": "MT_0000000010"}.items():
        write(f"{device}/{name}", text + "\n")
    os.makedirs(f"/sys/bus/pci/drivers/{driver}", exist_ok=True)
    link(f"{function}/driver", f"/sys/bus/pci/drivers/{driver}")
    link(f"/sys/bus/pci/devices/{bus}", function)
    os.symlink(f"../../../{bus}", f"{device}/device")
    link(f"/sys/class/infiniband/{hca}", device)
    for number in range(1, ports + 1):
        guid = f"{node_guid[:-1]}{number}"
        port, name = f"{device}/ports/{number}", f"ib{index + number - 702}"
        for file, text in {"link_layer": "InfiniBand", "state": "4: ACTIVE", "phys_state": "5: LinkUp", "rate": "100 Gb/sec (4X EDR)",
                           "lid": "0x3", "lid_mask_count": "0", "sm_lid": "0x1", "sm_sl": "0", "cap_mask": "0x02514868",
                           "gids/0": f"fe80:0000:0000:0000:{guid}", "pkeys/0": "0xffff", "pkeys/1": "0x8002"}.items():
            write(f"{port}/{file}", text + "\n")
        dashed = ":".join(guid.replace(":", "")[i:i + 2] for i in range(0, 16, 2))
        address = f"{prefix}:fe:80:00:00:00:00:00:00:{dashed}"
        net = f"{function}/net/{name}"
        for file, text in {"type": "32", "dev_port": str(number - 1), "ifindex": str(index + number - 1), "address": address, "carrier": "1",
                           "flags": "0x1003", "mtu": "2044", "mode": "datagram", "pkey": "0xffff", "umcast": "0"}.items():
            write(f"{net}/{file}", text + "\n")
        os.symlink(f"../../../{bus}", f"{net}/device")
        link(f"/sys/class/net/{name}", net)
        write(f"/run/udev/data/n{index + number - 1}", f"E:ID_PATH=pci-{bus}\nE:ID_NET_DRIVER=ib_ipoib\n")


def show_real_sys():
    """Unmounts the made files from /sys, if they are mounted."""
    with open("/proc/mounts", encoding="utf-8") as f:
        if any(line.startswith("made /sys ") for line in f):
            subprocess.run(["umount", "-l", "/sys"], check=True)


def begin():
    """Makes the machine as it is at the start of each section."""
    show_real_sys()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "made", "/sys"], check=True)
    for directory in EMPTY + WATCHED:
        for entry in os.scandir(directory):
            (shutil.rmtree if entry.is_dir(follow_symlinks=False) else os.unlink)(entry.path)
    for entry in os.scandir(sandbox.OWN):
        if entry.name.endswith((".out", ".status")):
            os.unlink(entry.path)
    for card in CARDS:
        add_card(*card)


def calls():
    """Returns the recorded calls of programs since the previous calls()."""
    try:
        with open(CALLS, encoding="utf-8", errors="backslashreplace") as f:
            lines = f.read().splitlines()
        os.unlink(CALLS)
    except FileNotFoundError:
        return []
    return lines


def files():
    """Returns the content of each watched file, by path and mode."""
    found = {}
    for directory in WATCHED[:-1]:
        for where, _, names in os.walk(directory):
            for path in (f"{where}/{name}" for name in names):
                mode = os.lstat(path).st_mode
                shown = path if mode & 0o7777 == 0o644 or not stat.S_ISREG(mode) else f"{path} {mode & 0o7777:04o}"
                if stat.S_ISREG(mode):
                    with open(path, "rb") as f:
                        found[shown] = f.read()
                else:
                    found[shown] = os.readlink(path) if os.path.islink(path) else mode
    return found
