# SPDX-License-Identifier: LGPL-2.1-or-later
"""A machine with RDMA devices that do not exist: files over /sys, TAP interfaces, and fake_kernel.cpp for the rest."""
import contextlib
import fcntl
import os
import pty
import shutil
import socket
import struct
import subprocess
import termios
import unittest

import compare
import sandbox

TUNSETIFF, TUNSETPERSIST, TUNSETLINK, TUNSETOFFLOAD = 0x400454CA, 0x400454CB, 0x400454CD, 0x400454D0
IFF_TAP_NO_PI, ARPHRD_INFINIBAND, TUN_F_CSUM_TSO = 0x1002, 32, 7
CARDS = "devices/pci0000:00/0000:00:01.0"
UP, DOWN = {"state": "4: ACTIVE", "phys_state": "5: LinkUp"}, {"state": "1: DOWN", "phys_state": "2: Polling"}


def mount(source, target):
    subprocess.run(["mount", "--bind", source, target], check=True)


def isolate():
    """Hides the settings of this machine: /etc gets few of its files, and every file of /usr can be replaced."""
    etc, usr = f"{sandbox.OWN}/etc", f"{sandbox.OWN}/usr"
    for path in (f"{etc}/NetworkManager", usr, f"{usr}.work"):
        os.makedirs(path)
    write(f"{etc}/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n")
    for path in ("passwd", "group", "ld.so.cache"):
        if os.path.exists(f"/etc/{path}"):
            shutil.copy(f"/etc/{path}", f"{etc}/{path}")
    mount("/etc/NetworkManager", f"{etc}/NetworkManager")
    subprocess.run(["mount", "--rbind", etc, "/etc"], check=True)
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/usr,upperdir={usr},workdir={usr}.work", "/usr"], check=True)
    for path in ("/usr/lib/systemd/network", "/usr/lib/udev/rules.d", "/usr/lib/modules", "/usr/share/nm-infiniband"):
        shutil.rmtree(path, ignore_errors=True)


def program(path, script):
    """Replaces a program of the system by a shell script."""
    write(path, f"#!/bin/sh\n{script}\n", 0o755)


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write(text)


def link(path, target):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    directory, name = os.path.split(target) # like the kernel's links, which end with the name
    os.symlink(f"{os.path.relpath(directory, os.path.dirname(path))}/{name}", path)


def tap(name, mtu, up):
    """Makes an interface. The interface has a carrier until the returned descriptor is closed."""
    fd = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP_NO_PI))
    fcntl.ioctl(fd, TUNSETLINK, ARPHRD_INFINIBAND)
    fcntl.ioctl(fd, TUNSETOFFLOAD, TUN_F_CSUM_TSO)
    subprocess.run(["ip", "link", "set", name, "mtu", str(mtu), *(["up"] if up else [])], check=True)
    return fd


def port_info(mtu=5, max_mtu=5, lanes=(2, 2, 2), speeds=(8, 8, 8), base=(1, 1, 1)):
    """Returns a PortInfo as hexadecimal digits. Three values are supported, enabled and active. lanes: 2 is 4X. speeds: the extended
    speeds, 8 is NDR. base: the other speeds, 4 is QDR."""
    data = bytearray(64)
    data[29], data[30], data[31] = lanes[1], lanes[0], lanes[2]
    data[32], data[35] = base[0] << 4, base[2] << 4 | base[1]
    data[36], data[41] = mtu << 4, max_mtu
    data[62], data[63] = speeds[2] << 4 | speeds[0], speeds[1]
    return data.hex()


def address(guid, flags="80", prefix="fe80000000000000", qpn="000048"):
    return flags + qpn + prefix + guid.replace(":", "")


class Machine(contextlib.ExitStack):
    """While the context lasts, the files are mounted over /sys, and the interfaces exist."""

    def __init__(self, nm_ib):
        super().__init__()
        self.nm_ib, self.kernel, self.top = nm_ib, [], f"{sandbox.OWN}/sys"
        shutil.rmtree(self.top, ignore_errors=True)
        os.makedirs(f"{self.top}/class/net")

    def __enter__(self):
        mount(self.top, "/sys")
        self.callback(subprocess.run, ["umount", "/sys"], check=True)
        return super().__enter__()

    def files(self, directory, files):
        for name, text in files.items():
            write(f"{self.top}/{directory}/{name}", text + "\n")

    def hca(self, name, bus=f"{CARDS}/0000:05:00.0", driver="mlx5_core", pci=None, **files):
        """Adds a card, or with bus="" a software device. Returns its directory in /sys."""
        directory = f"{bus or 'devices/virtual'}/infiniband/{name}"
        self.files(directory, {"node_type": "1: CA", **files})
        link(f"{self.top}/class/infiniband/{name}", f"{self.top}/{directory}")
        if bus:
            self.files(bus, {"vendor": "0x15b3", "device": "0x1021", "class": "0x020700", **(pci or {})})
            link(f"{self.top}/{directory}/device", f"{self.top}/{bus}")
            os.makedirs(f"{self.top}/bus/pci/drivers/{driver}", exist_ok=True)
            link(f"{self.top}/{bus}/driver", f"{self.top}/bus/pci/drivers/{driver}")
        return directory

    def port(self, hca, number=1, guid="", p_keys=("0xffff",), mads=(), **files):
        """Adds a port; `mads` are lines of fake_kernel.cpp without their beginning."""
        if guid:
            gid = "fe80:0000:0000:0000:" + ":".join(guid.replace(":", "")[i:i + 4] for i in (0, 4, 8, 12))
            files = {"link_layer": "InfiniBand", "rate": "400 Gb/sec (4X NDR)", "lid": "0x3", "lid_mask_count": "0", "sm_lid": "0x1",
                     "sm_sl": "0", "cap_mask": "0x2651e848", "gids/0": gid, **UP, **files}
        self.files(f"{hca}/ports/{number}", {**files, **{f"pkeys/{i}": key for i, key in enumerate(p_keys)}})
        self.kernel += [f"mad {os.path.basename(hca)} {number} {line}" for line in mads]

    def interface(self, hca, name, guid, number=1, mode="datagram", mtu=2044, up=True, p_key="0xffff", parent="-", carrier=True):
        """Adds an IPoIB interface of a port, or with a parent a P_Key child."""
        fd = tap(name, mtu, up)
        if carrier:
            self.callback(os.close, fd)
        else: # a persistent interface without a program
            fcntl.ioctl(fd, TUNSETPERSIST, 1)
            os.close(fd)
            self.callback(subprocess.run, ["ip", "link", "delete", name], check=True)
        bus = os.path.dirname(os.path.dirname(hca))
        directory = f"{bus}/net/{name}" if parent == "-" else f"devices/virtual/net/{name}"
        self.files(directory, {"ifindex": str(socket.if_nametoindex(name)), "dev_port": str(number - 1), "mode": mode, "carrier_changes": "1", "type": "32"})
        if parent == "-":
            link(f"{self.top}/{directory}/device", f"{self.top}/{bus}")
        link(f"{self.top}/class/net/{name}", f"{self.top}/{directory}")
        self.kernel.append(f"link {name} {address(guid)} {p_key} {parent}")

    def environment(self):
        write(f"{sandbox.OWN}/kernel", "".join(f"{line}\n" for line in self.kernel))
        kept = {key: value for key, value in os.environ.items() if key.startswith(("PATH", "NMIB_", "ASAN_", "UBSAN_"))}
        return {**kept, "TERM": "dumb", "NMIB_FAKE_KERNEL": f"{sandbox.OWN}/kernel", **sandbox.locale()}

    def run(self, *words, become=(), stdin=None, env=None):
        done = subprocess.run([*become, self.nm_ib, *words], input=stdin or "", capture_output=True, check=False, encoding="utf-8",
                              errors="backslashreplace", timeout=60, env={**self.environment(), **(env or {})})
        return compare.Answer(done.returncode, done.stdout, done.stderr)

    def run_on_terminal(self, *words, stdin="", columns=80):
        """Returns the exit code, and what the terminal shows."""
        environment = self.environment()
        pid, fd = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
            os.execve(self.nm_ib, [self.nm_ib, *words], environment)
        os.write(fd, stdin.encode())
        said = b""
        with contextlib.suppress(OSError): # the end of the other side
            while more := os.read(fd, 65536):
                said += more
        os.close(fd)
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode(errors="backslashreplace").replace("\r\n", "\n")


class Case(unittest.TestCase):
    """Compares the whole output of a command on the machine `m`."""
    maxDiff = None
    command = ()
    m = None

    def answer(self, *words, before=(), **more):
        """`before`: options before the command."""
        return self.m.run(*before, *self.command, *words, **more)

    def expect(self, code, out, *words, err="", **more):
        self.assertEqual(self.answer(*words, **more), compare.Answer(code, out, err), words)
