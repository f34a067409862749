#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""plan.py NM-IB: nm-ib plan and apply without NetworkManager: whole outputs, and the exit codes."""
import json
import os
import shutil
import sys
import unittest

import live
import machine
import sandbox
from machine import CARDS, Machine

NMCLI = sandbox.enter()
machine.isolate()
NM_IB = sandbox.for_anybody(sys.argv.pop(1))
GUID = "00:02:c9:03:00:0a:00:%02x"
shutil.copytree(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../data/quirks.d"), "/etc/nm-infiniband/quirks.d")


class OnMachine(machine.Case):
    command = ("plan",)

    def setUp(self):
        self.m = self.enterContext(Machine(NM_IB))
        card = self.m.hca("mlx4_0", f"{CARDS}/0000:05:00.0", "mlx4_core", pci={"device": "0x634a", "revision": "0xa0"}, hw_rev="a0")
        self.m.port(card, 1, guid=GUID % 1, p_keys=("0xffff", "0x8002", "0x0003"))
        self.m.port(card, 2, guid=GUID % 2, p_keys=("0x7fff",))
        self.m.interface(card, "ib0", GUID % 1)
        self.m.interface(card, "ib0.8002", GUID % 1, p_key="0x8002", parent="ib0", mode="connected", mtu=65520)
        self.m.interface(card, "ib1", GUID % 2, number=2, mode="connected", mtu=65520, up=False, p_key="0x7fff")


class WithoutDaemon(OnMachine):
    def test_text(self):
        self.expect(0, """\
INTERFACE  MODE       MTU    P_KEY           CARRIER  TSO   PROFILE
ib0        datagram   2044   0xffff full     yes      on    --
  will be  datagram   2044   0xffff full     --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
ib0.8002   connected  65520  0x8002 full     yes      idle  --
  will be  connected  65520  0x8002 full     --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
ib1        connected  65520  0x7fff limited  down     idle  --
  will be  connected  65520  0x7fff limited  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", err="nm-ib: NetworkManager cannot be reached: no profile counts as active\n")
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044  0xffff full  yes      on   --
  will be  datagram  2044  0xffff full  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
  change   ib0.8002: TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "ib0", err="nm-ib: NetworkManager cannot be reached: no profile counts as active\n")
        self.expect(0, """\
INTERFACE  MODE       MTU    P_KEY        CARRIER  TSO   PROFILE
ib0.8002   connected  65520  0x8002 full  yes      idle  --
  will be  connected  65520  0x8002 full  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "ib0.8002", err="nm-ib: NetworkManager cannot be reached: no profile counts as active\n")
        self.expect(0, """\
INTERFACE  MODE       MTU    P_KEY           CARRIER  TSO   PROFILE
ib1        connected  65520  0x7fff limited  down     idle  --
  will be  connected  65520  0x7fff limited  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "mlx4_0/2", err="nm-ib: NetworkManager cannot be reached: no profile counts as active\n")
        self.expect(1, "", "ib7", err="""\
Error: ib7: not an InfiniBand interface, and NetworkManager is not running: profiles were not checked
""")
        self.expect(1, "", "plain", err="""\
Error: plain: not an InfiniBand interface, and NetworkManager is not running: profiles were not checked
""")
        self.assertEqual(self.answer(become=live.USER), self.answer())

    def test_what_cannot_be_read(self):
        shutil.rmtree(f"{self.m.top}/{CARDS}/0000:05:00.0/infiniband/mlx4_0/ports/2/pkeys")
        odd = "/etc/nm-infiniband/quirks.d/odd.conf"
        machine.write(odd, "[odd]\nNonsense=1\n")
        self.addCleanup(os.unlink, odd)
        self.expect(0, """\
INTERFACE  MODE       MTU    P_KEY     CARRIER  TSO   PROFILE
ib1        connected  65520  0x7fff ?  down     idle  --
  will be  connected  65520  0x7fff ?  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
  note     '?' cannot be read: the port's P_Key table
""", "ib1", err="""\
nm-ib: warning: /etc/nm-infiniband/quirks.d/odd.conf:2: [odd] unknown key 'Nonsense', ignoring the quirk
nm-ib: NetworkManager cannot be reached: no profile counts as active
""")

    def test_lines_fit_the_terminal(self):
        for columns, line in ((60, "  change   TSO will be switched off: this card corrupts\n           large sends (quirk mlx4-connectx-a0-lso)\n"),
                              (24, "  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)\n"),
                              (200, "  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)\n")):
            self.assertIn(line, self.m.run_on_terminal("plan", columns=columns)[1])

    def test_json(self):
        unset = {key: None for key in ("mode", "mtu", "p_key", "membership", "carrier", "tso")}

        def interface(*names, **now):
            return {"interface": names[0], "exists": True, "profile": None, "uuid": None, "active": False, "now": now, "asked": unset,
                    "changes": [{"interface": name, "set": "feature", "feature": "tx-tcp-segmentation", "to": False, "quirk": "mlx4-connectx-a0-lso"} for name in names],
                    "findings": [], "refusal": None}
        self.assertEqual(json.loads(self.answer("--json").out)["interfaces"], [
            interface("ib0", "ib0.8002", mode="datagram", mtu=2044, p_key="0xffff", membership="full", carrier=True, tso=True),
            interface("ib0.8002", mode="connected", mtu=65520, p_key="0x8002", membership="full", carrier=True, tso=True),
            interface("ib1", mode="connected", mtu=65520, p_key="0x7fff", membership="limited", carrier=False, tso=True)])


class Apply(OnMachine):
    command = ("apply",)

    def test_quirk_is_applied(self):
        self.expect(0, "ib0 and 1 more: tx-tcp-segmentation switched off (quirk mlx4-connectx-a0-lso)\n", "ib0")
        self.expect(0, "", "ib0", err="nm-ib: note: ib0: quirk mlx4-connectx-a0-lso: tx-tcp-segmentation is already as it should be\n")
        self.expect(1, "", "ib7", err="""\
Error: ib7: not an InfiniBand interface, and NetworkManager is not running: profiles were not checked
""")
        self.assertEqual(self.m.run("plan").out, """\
INTERFACE  MODE       MTU    P_KEY           CARRIER  TSO   PROFILE
ib0        datagram   2044   0xffff full     yes      off   --
ib0.8002   connected  65520  0x8002 full     yes      off   --
ib1        connected  65520  0x7fff limited  down     idle  --
  will be  connected  65520  0x7fff limited  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""")


if __name__ == "__main__":
    unittest.main()
