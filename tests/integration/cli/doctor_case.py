# SPDX-License-Identifier: LGPL-2.1-or-later
"""Machines for the tests of nm-ib doctor."""
import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys

import live
import machine
import sandbox
from machine import CARDS, Machine, port_info

NMCLI = sandbox.enter()
machine.isolate()
NM_IB = sandbox.for_anybody(sys.argv.pop(1))
GUID = "00:02:c9:03:00:0a:00:%02x"
STATE = "/run/NetworkManager/nm-infiniband"
GOOD_PCI = {"current_link_speed": "32.0 GT/s PCIe", "current_link_width": "16", "max_link_speed": "32.0 GT/s PCIe", "max_link_width": "16"}
IGNORED = "/etc/nm-infiniband/doctor.ignore"


class Kmsg:
    """A pipe over /dev/kmsg that keeps the limits of its records, as the kernel does."""

    def __init__(self):
        self.path = f"{sandbox.OWN}/kmsg"
        os.mkfifo(self.path)
        self.fd = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.fd, fcntl.F_SETFL, os.O_NONBLOCK | os.O_DIRECT)
        machine.mount(self.path, "/dev/kmsg")

    def fill(self, records):
        with contextlib.suppress(BlockingIOError):
            while True:
                os.read(self.fd, 65536)
        for record in records:
            os.write(self.fd, record.encode())


class OnMachine(machine.Case):
    command = ("doctor",)

    @classmethod
    def setUpClass(cls):
        cls.log = Kmsg()

    def setUp(self):
        shutil.rmtree(STATE, ignore_errors=True)
        for path in ("/etc/nm-infiniband", "/etc/sysconfig", "/etc/network"):
            shutil.rmtree(path, ignore_errors=True)
        machine.write("/etc/fstab", "")
        self.records = []
        self.m = self.enterContext(Machine(NM_IB))
        self.m.files("class/infiniband_mad", {"abi_version": "5"})
        for module in ("ib_ipoib", "ib_umad", "ib_uverbs", "rdma_ucm", "mlx5_ib", "mlx5_core"):
            os.makedirs(f"{self.m.top}/module/{module}")

    @classmethod
    def tearDownClass(cls):
        subprocess.run(["umount", "/dev/kmsg"], check=True)
        os.unlink(cls.log.path)

    def card(self, number, interface=None, pci=GOOD_PCI, mads=None, name=None, carrier=True, **files):
        guid = GUID % (16 * number + 1)
        name = name or f"mlx5_{number}"
        hca = self.m.hca(name, f"{CARDS}/0000:{5 + number:02x}:00.0", pci=pci, fw_ver="28.40.1000", board_id="MT_0000000838",
                         node_desc=f"node1 {name}", node_guid="0002:c903:000a:00%x0" % number, sys_image_guid="0002:c903:000a:00%x3" % number)
        if mads is None:
            mads = (f"own {port_info()}", "manager 1 0002c903000b0001")
        self.m.port(hca, guid=guid, mads=mads, **{"lid": f"0x{3 + number:x}", **files})
        if interface:
            self.m.interface(hca, interface, guid, carrier=carrier)
        return hca

    def healthy(self):
        self.m.files(CARDS, GOOD_PCI)
        self.card(0, "storage0")
        self.card(1, "storage1")

    def answer(self, *words, **more):
        self.log.fill(self.records)
        return super().answer(*words, **more)

    def ids(self, *words, **more):
        """Returns the ids and places of the findings, and the exit code."""
        answer = self.answer(*words, "--json", **more)
        return " ".join(f"{f['id']}:{f['where']}" for f in json.loads(answer.out)["findings"]), answer.code

    def finds(self, ids, code, *words):
        self.assertEqual(self.ids(*words), (ids, code))


def profile(number, name, infiniband="", interface="storage0", autoconnect="false"):
    return (f"[connection]\nid={name}\nuuid={live.UUID % number}\ntype=infiniband\ninterface-name={interface}\nautoconnect={autoconnect}\n\n"
            f"[infiniband]\ntransport-mode=datagram\n{infiniband}\n[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n")


class OnProfiles(OnMachine):
    def setUp(self):
        super().setUp()
        for name in os.listdir(sandbox.PROFILES):
            os.unlink(f"{sandbox.PROFILES}/{name}")
        self.healthy()
        self.reload()

    def reload(self, **profiles):
        for name, text in profiles.items():
            sandbox.write_profile(name, text)
        subprocess.run([NMCLI, "connection", "reload"], check=True)
