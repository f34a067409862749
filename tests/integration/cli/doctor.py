#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""doctor.py NM-IB: nm-ib doctor on a healthy machine: outputs, exit codes, --expect, --ignore."""
import json
import os
import re
import shutil
import subprocess
import unittest

import live
import machine
import sandbox
from doctor_case import GUID, IGNORED, OnMachine
from machine import CARDS, DOWN


class Healthy(OnMachine):
    def setUp(self):
        super().setUp()
        self.healthy()

    def test_output(self):
        self.expect(0, """\
No problem found (ports: 2, profiles: 0).
NetworkManager is not running: profiles were not checked.
""")
        self.expect(0, """\
No problem found (ports: 1, profiles: 0).
NetworkManager is not running: profiles were not checked.
""", "mlx5_0")
        self.expect(0, """\
No problem found (ports: 1, profiles: 0).
NetworkManager is not running: profiles were not checked.
""", "storage1")
        self.expect(0, """\
INFINIBAND OK - ports: 2, profiles: 0, NetworkManager is not running | errors=0 warnings=0 ports=2 ignored=0
""", "--nagios")
        self.expect(0, """\
# HELP nm_ib_doctor_findings Number of findings of nm-ib doctor.
# TYPE nm_ib_doctor_findings gauge
nm_ib_doctor_findings{severity="note"} 0
nm_ib_doctor_findings{severity="warning"} 0
nm_ib_doctor_findings{severity="error"} 0
# HELP nm_ib_doctor_ignored_findings Number of findings that --ignore and doctor.ignore leave out.
# TYPE nm_ib_doctor_ignored_findings gauge
nm_ib_doctor_ignored_findings 0
# HELP nm_ib_doctor_networkmanager_up Whether NetworkManager answered.
# TYPE nm_ib_doctor_networkmanager_up gauge
nm_ib_doctor_networkmanager_up 0
""", "--metrics")
        self.expect(0, """\
Nothing to fix.
No problem found (ports: 2, profiles: 0).
NetworkManager is not running: profiles were not checked.
""", "--fix", "--yes")
        self.expect(0, """\
No problem found (ports: 2, profiles: 0).
NetworkManager is not running: profiles were not checked.
Not root: limits, links, subnet managers, the kernel's log, keyfiles and the plugin's version were checked only in part.
""", become=live.USER)
        self.expect(0, """\
INFINIBAND OK - ports: 2, profiles: 0, not root: checked only in part, NetworkManager is not running | errors=0 warnings=0 ports=2 ignored=0
""", "--nagios", become=live.USER)
        whole = json.loads(self.answer("--json").out)
        self.assertEqual((whole["looked_at"], whole["findings"]),
                         ({"ports": 2, "profiles": 0, "root": True, "networkmanager": False, "names": True, "ignored": 0}, []))

    def test_expectations(self):
        self.expect(0, """\
# nm-ib doctor --expect FILE

[mlx5_0]
board_id=MT_0000000838
firmware=28.40.1000

[mlx5_0/1]
link_layer=InfiniBand
mtu_active=4096
rate=400 Gb/s 4X NDR
state=Active
subnet_manager=yes

[mlx5_1]
board_id=MT_0000000838
firmware=28.40.1000

[mlx5_1/1]
link_layer=InfiniBand
mtu_active=4096
rate=400 Gb/s 4X NDR
state=Active
subnet_manager=yes

[storage0]
carrier=yes
mode=datagram
mtu=2044
p_key=0xffff
port=mlx5_0/1
up=yes

[storage1]
carrier=yes
mode=datagram
mtu=2044
p_key=0xffff
port=mlx5_1/1
up=yes
""", "--expect", "now")
        file = f"{sandbox.OWN}/good"
        machine.write(file, self.answer("--expect", "now").out)
        self.expect(0, """\
No problem found (ports: 2, profiles: 0).
NetworkManager is not running: profiles were not checked.
""", "--expect", file)
        self.expect(0, """\
No problem found (ports: 2, profiles: 0).
NetworkManager is not running: profiles were not checked.
""", "--expect", "2@400")
        self.expect(2, "", "--expect", "3@400", "4@NDR", err="Error: --expect: '4@NDR': neither COUNT@GBPS, for example 8@400, nor a file\n")
        self.expect(4, """\
error    too few active ports: 3 with at least 400 Gb/s are expected; found: 2
         [expected-ports]
         Programs that use all ports are slower, or do not start.
         => Other findings may have the cause. To see all ports:
            nm-ib port
NetworkManager is not running: profiles were not checked.
""", "--expect", "3@400")
        self.expect(2, "", "--expect", "nofile", err="Error: --expect: 'nofile': neither COUNT@GBPS, for example 8@400, nor a file\n")
        self.expect(2, "", "--expect", f"{sandbox.OWN}/nofile", err="Error: --expect: /run/nm-ib-test/nofile: No such file or directory\n")
        self.expect(2, "", "--expect", "/dev/null", err="Error: --expect: /dev/null: the file has no group; for a valid file: nm-ib doctor --expect now\n")
        subprocess.run("ip link set storage1 mtu 1500; ip link set storage0 down", shell=True, check=True)
        self.m.port(f"{CARDS}/0000:06:00.0/infiniband/mlx5_1", guid=GUID % 17, rate="200 Gb/sec (2X NDR)")
        self.expect(4, """\
error    mlx5_1/1: rate is 200 Gb/s 2X NDR, and 400 Gb/s 4X NDR is expected
         [expected-differs]
         The file of --expect has another value.
         => Other findings may have the cause. To see all values:
            nm-ib port show mlx5_1/1
error    storage0: up is no, and yes is expected [expected-differs]
         The file of --expect has another value.
         => Other findings may have the cause. To see all values:
            nm-ib port show storage0
error    storage1: mtu is 1500, and 2044 is expected [expected-differs]
         The file of --expect has another value.
         => Other findings may have the cause. To see all values:
            nm-ib port show storage1
NetworkManager is not running: profiles were not checked.
""", "--expect", file)
        self.expect(4, """\
error    mlx5_1/1: rate is 200 Gb/s 2X NDR, and 400 Gb/s 4X NDR is expected
         [expected-differs]
         The file of --expect has another value.
         => Other findings may have the cause. To see all values:
            nm-ib port show mlx5_1/1
error    storage1: mtu is 1500, and 2044 is expected [expected-differs]
         The file of --expect has another value.
         => Other findings may have the cause. To see all values:
            nm-ib port show storage1
Findings left out with --ignore or doctor.ignore: 1
NetworkManager is not running: profiles were not checked.
""", "--expect", file, "--ignore", "expected-differs:storage0")
        self.expect(2, """\
INFINIBAND CRITICAL - mlx5_1/1: rate is 200 Gb/s 2X NDR, and 400 Gb/s 4X NDR is expected [expected-differs] (and 2 more), NetworkManager is not running | errors=3 warnings=0 ports=2 ignored=0
""", "--expect", file, "--nagios")
        machine.write(file, "[mlx5_0]\nfirmware=1|2\n")
        self.assertIn("and 1/2 is expected", self.answer("--expect", file, "--nagios").out)
        self.m.port(f"{CARDS}/0000:06:00.0/infiniband/mlx5_1", guid=GUID % 17, **DOWN)
        self.expect(0, """\
# nm-ib doctor --expect FILE

[mlx5_0]
board_id=MT_0000000838
firmware=28.40.1000

[mlx5_0/1]
link_layer=InfiniBand
mtu_active=4096
rate=400 Gb/s 4X NDR
state=Active
subnet_manager=yes

[mlx5_1]
board_id=MT_0000000838
firmware=28.40.1000

[mlx5_1/1]
link_layer=InfiniBand

[storage1]
carrier=yes
mode=datagram
mtu=1500
p_key=0xffff
port=mlx5_1/1
up=yes
""", "--expect", "now", err="note: mlx5_1/1 is Down: the file expects no link there\n")

    def test_expectations_without_a_link(self):
        file = f"{sandbox.OWN}/odd"
        hca = f"{self.m.top}/{CARDS}/0000:05:00.0/infiniband/mlx5_0"
        machine.write(f"{hca}/fw_ver", "28\\40\n") # as a vendor may write it
        card = self.card(2, name="mlx5_2")
        self.m.interface(card, "storage2", GUID % 0x21, carrier=False)
        self.m.port(card, guid=GUID % 0x21, sm_lid="0x0", **DOWN)
        self.expect(0, ('# nm-ib doctor --expect FILE\n'
                    '\n'
                    '[mlx5_0]\n'
                    'board_id=MT_0000000838\n'
                    'firmware=28\\\\40\n'
                    '\n'
                    '[mlx5_0/1]\n'
                    'link_layer=InfiniBand\n'
                    'mtu_active=4096\n'
                    'rate=400 Gb/s 4X NDR\n'
                    'state=Active\n'
                    'subnet_manager=yes\n'
                    '\n'
                    '[mlx5_1]\n'
                    'board_id=MT_0000000838\n'
                    'firmware=28.40.1000\n'
                    '\n'
                    '[mlx5_1/1]\n'
                    'link_layer=InfiniBand\n'
                    'mtu_active=4096\n'
                    'rate=400 Gb/s 4X NDR\n'
                    'state=Active\n'
                    'subnet_manager=yes\n'
                    '\n'
                    '[mlx5_2]\n'
                    'board_id=MT_0000000838\n'
                    'firmware=28.40.1000\n'
                    '\n'
                    '[mlx5_2/1]\n'
                    'link_layer=InfiniBand\n'
                    '\n'
                    '[storage0]\n'
                    'carrier=yes\n'
                    'mode=datagram\n'
                    'mtu=2044\n'
                    'p_key=0xffff\n'
                    'port=mlx5_0/1\n'
                    'up=yes\n'
                    '\n'
                    '[storage1]\n'
                    'carrier=yes\n'
                    'mode=datagram\n'
                    'mtu=2044\n'
                    'p_key=0xffff\n'
                    'port=mlx5_1/1\n'
                    'up=yes\n'
                    '\n'
                    '[storage2]\n'
                    'mode=datagram\n'
                    'mtu=2044\n'
                    'p_key=0xffff\n'
                    'port=mlx5_2/1\n'
                    'up=yes\n'), "--expect", "now", err="note: mlx5_2/1 is Down: the file expects no link there\n")
        machine.write(file, self.answer("--expect", "now").out)
        self.finds("port-polling:mlx5_2/1", 4, "--expect", file)
        machine.write(file, "[mlx5_0/1]\nsubnet_manager=no\n[mlx5_9]\n[storage0]\nmtu=2044\n")
        self.finds("port-polling:mlx5_2/1 expected-missing:mlx5_9 expected-differs:mlx5_0/1", 4, "--expect", file)

    def test_invalid_expectations(self):
        for text in ("x", "[mlx5_0]\nfirmware=1\nfirmware=2\n", "[mlx5_0/1]\nfirmware=1\n", "[mlx5_0/1]\nstate=Odd\n", "[mlx5_0]\n=1\n"):
            machine.write(f"{sandbox.OWN}/odd", text)
            answer = self.answer("--expect", f"{sandbox.OWN}/odd")
            self.assertEqual((answer.code, answer.out, answer.err.startswith("Error: --expect: ")), (2, "", True), answer)
        self.expect(2, "", "--expect", f"{sandbox.OWN}/odd", err="""\
Error: --expect: /run/nm-ib-test/odd: Key file contains line “=1” which is not a key-value pair, group, or comment
""")

    def test_ignored(self):
        self.assertEqual(self.ids("--expect", "3@400"), ("expected-ports:", 4))
        machine.write(IGNORED, "# nothing\n expected-ports # ordered\n\nnonsense:x\n")
        self.expect(0, """\
No problem found (ports: 2, profiles: 0).
Findings left out with --ignore or doctor.ignore: 1
NetworkManager is not running: profiles were not checked.
""", "--expect", "3@400", err="/etc/nm-infiniband/doctor.ignore: unknown finding 'nonsense', ignoring\n")
        machine.write(IGNORED, "expected-ports:elsewhere\n")
        self.assertEqual(self.ids("--expect", "3@400"), ("expected-ports:", 4))
        self.assertEqual(self.ids("--expect", "3@400", "--ignore", "expected-ports"), ("", 0))
        self.expect(2, "", "--ignore", "nonsense:x", err="""\
Error: unknown finding 'nonsense'
For a list of the findings, see nm-ib-doctor(7).
""")
        os.unlink(IGNORED)
        os.mkdir(IGNORED)
        self.addCleanup(os.rmdir, IGNORED)
        self.assertEqual(self.answer().code, 1)

    def test_mistakes(self):
        for words in (("--yes",), ("--fix", "no-such-id"), ("--fix", "--json"), ("--json", "--metrics"), ("--nagios", "--json"),
                      ("--expect", "1@1", "--fix"), ("a", "--expect", "1@1"), ("--expect", "now", "--json"), ("--hosts", "/dev/null"),
                      ("a", "--merge", "b"), ("--merge", "b", "--fix"), ("--merge", "b", "--yes"), ("--merge", "b", "--metrics"),
                      ("--merge", "b", "--expect", "1@1"), ("--expect", "0@400")):
            answer = self.answer(*words)
            want = 3 if "--nagios" in words else 2
            self.assertEqual((answer.code, answer.out == "", answer.err == ""), (want, want == 2, want == 3), words)
        self.expect(3, "INFINIBAND UNKNOWN - Error: only one of --fix, --json, --nagios and --metrics.\n", "--nagios", "--json")
        self.expect(3, "INFINIBAND UNKNOWN - Error: --expect: /none/such: No such file or directory\n", "--nagios", "--expect", "/none/such")
        self.expect(3, "INFINIBAND UNKNOWN - Error: -t, -f and -g: only for tables For programs, use --json.\n", "--nagios", before=("-t",))
        self.expect(2, "", before=("-t",), err="""\
Error: -t, -f and -g: only for tables
For programs, use --json.
""")
        self.expect(10, "", "ib77", err="""\
Error: ib77: no such port, interface of a port, or profile
To list the ports:
  nm-ib port
""")

    def test_no_card(self):
        shutil.rmtree(f"{self.m.top}/class/infiniband")
        self.assertIn("No RDMA device found.\nNetworkManager is not running: profiles were not checked.\n",
                      re.sub("This is a container.*\n", "", self.answer().out))
        self.expect(1, "", "--expect", "now", err="Error: No RDMA device found.\n")
        self.assertEqual(self.ids("--expect", "1@400")[1], 4)
        machine.write("/run/systemd/container", "podman\n")
        self.addCleanup(shutil.rmtree, "/run/systemd")
        self.expect(0, """\
No RDMA device found.
This is a container (podman): a device of the host is here only if the container was given it.
NetworkManager is not running: profiles were not checked.
""")

    def test_one_port_of_a_card(self):
        self.m.port(f"{CARDS}/0000:05:00.0/infiniband/mlx5_0", 2, guid=GUID % 2, **DOWN)
        self.assertEqual(self.ids(), ("", 0))
        self.assertEqual(self.ids("mlx5_0/1"), ("", 0))
        self.assertEqual(self.ids("storage1"), ("", 0))
        self.assertEqual(self.ids("mlx5_0/2"), ("port-polling:mlx5_0/2", 4))


if __name__ == "__main__":
    unittest.main()
