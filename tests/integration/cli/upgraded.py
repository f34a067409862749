#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""upgraded.py NM-IB [DAEMON]: after an upgrade, before the restart, nmcli and libnm are newer than the daemon. The daemon is
DAEMON, or a copy of the installed one that reports an older version."""
import os
import re
import shutil
import subprocess
import sys
import unittest

import compare
import live
import sandbox
from vectors import Vector

NMCLI, NM_IB, DAEMON = sandbox.enter(), sys.argv.pop(1), sys.argv.pop(1) if sys.argv[1:] else None
MISMATCH = r"Warning: nmcli \([\w.-]+\) and NetworkManager \([\w.-]+\) versions don't match\."
MISMATCHES = 0 if sandbox.minor(NMCLI) < 44 else 1  # the number of warnings of nmcli


def one_older():
    """Returns a copy of NetworkManager with another digit in its version."""
    program, copy = shutil.which("NetworkManager"), f"{sandbox.OWN}/NetworkManager"
    version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout.split()[0].partition(b"-")[0]
    with open(program, "rb") as old, open(copy, "wb") as new:
        new.write(old.read().replace(version, version[:-1] + (b"0" if version[-1:] != b"0" else b"1")))
    os.chmod(copy, 0o755)
    return copy


class Upgraded(unittest.TestCase):
    def setUp(self):
        self.fixtures = live.Fixtures(NMCLI)
        self.fixtures.reset()

    def test_older_daemon_answers_as_with_nmcli(self):
        for vector in (*live.modify_vectors(), *live.add_vectors()):
            (reference, stored), (ours, our_stored) = (self.fixtures.run(command, vector) for command in (NMCLI, NM_IB))
            with self.subTest(words=vector.args):
                found = compare.verdict(vector, reference, ours)
                self.assertNotEqual(found, "different", (reference, ours))
                if found == "same":
                    self.assertEqual(our_stored, stored)

    def skip_unless_nmcli_saves(self):
        """Skips the test if the daemon is too old for this nmcli."""
        answer = compare.run(NMCLI, Vector(("connection", "modify", "child", "infiniband.mtu", "2000")))
        if "unknown property" in answer.err:
            self.skipTest("nmcli can save nothing in this daemon either")

    def test_warning_of_nmcli_is_kept(self):
        self.skip_unless_nmcli_saves()
        for words in (("connection", "modify", "plain", "infiniband.mtu", "2000"), ("connection", "add", "type", "infiniband", "ifname", "ib9"),
                      ("connection", "show", "plain")):
            reference, answer = (compare.run(command, Vector(words)) for command in (NMCLI, NM_IB))
            self.assertEqual((answer.code, len(re.findall(MISMATCH, answer.err))), (0, len(re.findall(MISMATCH, reference.err))), answer)
            self.assertEqual(MISMATCHES, len(re.findall(MISMATCH, reference.err)))

    def test_own_rules_work_with_an_older_daemon(self):
        self.skip_unless_nmcli_saves()
        answer = compare.run(NM_IB, Vector(("connection", "modify", "plain", "infiniband.p-key", "0x8002")))
        self.assertEqual(answer.code, 0, answer)
        self.assertIn("nm-ib: 'plain': infiniband.parent set to ib0\n", answer.err)
        fields = subprocess.run([NMCLI, "-g", "infiniband.p-key,infiniband.parent,connection.interface-name", "connection", "show", "plain"],
                                capture_output=True, text=True, check=True).stdout
        self.assertEqual(fields.split(), ["0x8002", "ib0", "ib0.8002"])
        add = ("connection", "add", "type", "infiniband", "con-name", "k", "parent", "ib0", "autoconnect", "no")
        self.assertIn("nm-ib: warning: p-key 8002 is decimal", compare.run(NM_IB, Vector((*add, "p-key", "8002"))).err)
        answer = compare.run(NM_IB, Vector((*add, "p-key", "2", "--strict")))
        self.assertEqual((answer.code, answer.out), (1, ""), answer)


if __name__ == "__main__":
    with sandbox.bus(), sandbox.network_manager(NMCLI, DAEMON or one_older()):
        unittest.main()
