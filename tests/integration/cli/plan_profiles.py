#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""plan_profiles.py NM-IB: nm-ib plan for profiles of the real NetworkManager: whole outputs, and the exit codes."""
import json
import socket
import subprocess
import unittest

import live
import machine
import sandbox
from machine import CARDS
from plan import GUID, NMCLI, OnMachine


class Profiles(OnMachine):
    def setUp(self):
        live.Fixtures(NMCLI).reset()
        super().setUp()

    def add(self, number, name, infiniband, more="interface-name=ib0\n"):
        sandbox.write_profile(name, live.profile(number, name, infiniband, more))

    def test_text(self):
        self.add(20, "connected", "transport-mode=connected\nmtu=65520\n")
        self.add(21, "big", "transport-mode=datagram\nmtu=4092\n")
        self.add(22, "newchild", "transport-mode=datagram\np-key=32771\nparent=ib0\n", "")
        self.add(23, "taken", "transport-mode=datagram\np-key=32770\nparent=ib0\n", "")
        self.add(24, "absent", "transport-mode=datagram\n", "interface-name=ib9\n")
        self.add(25, "other", f"transport-mode=datagram\nmac-address=80:00:00:48:FE:80:00:00:00:00:00:00:00:02:C9:03:00:0A:00:02\n")
        self.add(26, "notso", "transport-mode=datagram\n\n[ethtool]\nfeature-tso=false\n")
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        self.expect(0, """\
INTERFACE  MODE       MTU      P_KEY        CARRIER  TSO  PROFILE
ib0        datagram   2044     0xffff full  yes      on   connected (not active)
  asked    connected  65520    --           --       --
  will be  connected  <=65520  0xffff full  --       off
  change   transport mode will be connected (profile 'connected')
  change   MTU will be 65520, or what the subnet allows (profile 'connected')
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
  change   ib0.8002: TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "connected")
        self.expect(0, """\
INTERFACE  MODE      MTU     P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044    0xffff full  yes      on   big (not active)
  asked    datagram  4092    --           --       --
  will be  datagram  <=4092  0xffff full  --       off
  change   MTU will be 4092, or what the subnet allows (profile 'big')
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
  change   ib0.8002: TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "big")
        self.expect(0, """\
INTERFACE  MODE      MTU      P_KEY           CARRIER  TSO  PROFILE
ib0.8003   --        --       --              --       --   newchild (not active)
  asked    datagram  auto     0x8003          --       --
  will be  datagram  <=10236  0x8003 limited  --       off
  change   the interface will be made
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
  warning  mlx4_0 port 1 is a limited member of the partition of P_Key 0x8003: it reaches full members only
""", "newchild")
        self.expect(0, """\
INTERFACE  MODE       MTU      P_KEY        CARRIER  TSO   PROFILE
ib0.8002   connected  65520    0x8002 full  yes      idle  taken (not active)
  asked    datagram   auto     0x8002       --       --
  will be  datagram   <=10236  0x8002 full  --       off
  change   transport mode will be datagram (profile 'taken')
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "taken")
        self.expect(10, "", "absent", err="Error: profile 'absent': the interface of the profile does not exist\n")
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044  0xffff full  yes      on   other (not active)
  asked    datagram  auto  --           --       --
  refused  profile 'other' has the mac-address of another port; NetworkManager does not activate it here
""", "other")
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044  0xffff full  yes      on   notso (not active)
  asked    datagram  auto  --           --       off
  will be  datagram  2044  0xffff full  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
  change   ib0.8002: TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "notso")
        self.expect(1, "", "wired", err="Error: profile 'wired' is not of type infiniband\n")
        self.assertEqual(self.answer("mlx4_0/1"), self.answer("ib0"))
        self.expect(10, "", "nonsense", err="Error: nonsense: neither an InfiniBand interface nor a profile\n")
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044  0xffff full  yes      on   plain (not active)
  asked    datagram  auto  --           --       --
  will be  datagram  2044  0xffff full  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
  change   ib0.8002: TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "plain")

    def test_json(self):
        self.add(20, "connected", "transport-mode=connected\nmtu=65520\n")
        self.add(22, "newchild", "transport-mode=datagram\np-key=32771\nparent=ib0\n", "")
        self.add(25, "other", "transport-mode=datagram\nmac-address=80:00:00:48:FE:80:00:00:00:00:00:00:00:02:C9:03:00:0A:00:02\n")
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        plans = [json.loads(self.answer(name, "--json").out)["interfaces"][0] for name in ("connected", "newchild", "other")]
        tso = {"set": "feature", "feature": "tx-tcp-segmentation", "to": False, "quirk": "mlx4-connectx-a0-lso"}
        unset = {key: None for key in ("mode", "mtu", "p_key", "membership", "carrier", "tso")}
        now = {"mode": "datagram", "mtu": 2044, "p_key": "0xffff", "membership": "full", "carrier": True, "tso": True}
        self.assertEqual(plans, [
            {"interface": "ib0", "exists": True, "profile": "connected", "uuid": live.UUID % 20, "active": False, "now": now,
             "asked": {**unset, "mode": "connected", "mtu": 65520},
             "changes": [{"interface": "ib0", "set": "mode", "to": "connected"}, {"interface": "ib0", "set": "mtu", "to": 65520},
                         {"interface": "ib0", **tso}, {"interface": "ib0.8002", **tso}], "findings": [], "refusal": None},
            {"interface": "ib0.8003", "exists": False, "profile": "newchild", "uuid": live.UUID % 22, "active": False, "now": unset,
             "asked": {**unset, "mode": "datagram", "mtu": 0, "p_key": "0x8003"}, "changes": [{"interface": "ib0.8003", **tso}],
             "findings": [{"id": "pkey-limited", "severity": "warning", "text":
                           "ib0.8003: mlx4_0 port 1 is a limited member of the partition of P_Key 0x8003: it reaches full members only"}],
             "refusal": None},
            {"interface": "ib0", "exists": True, "profile": "other", "uuid": live.UUID % 25, "active": False, "now": now,
             "asked": {**unset, "mode": "datagram", "mtu": 0}, "changes": [], "findings": [],
             "refusal": {"id": "profile-for-other-port", "severity": "error", "text":
                         "ib0: profile 'other' has the mac-address of another port; NetworkManager does not activate it here"}}])

    def test_profiles_that_cannot_work(self):
        self.add(30, "newchild", "transport-mode=datagram\np-key=32771\nparent=ib0\n", "")
        self.add(31, "bridged", "transport-mode=datagram\n", f"interface-name=ib0\nmaster={live.UUID % 99}\nslave-type=bridge\n")
        sandbox.write_profile("vlan", f"[connection]\nid=vlan\nuuid={live.UUID % 32}\ntype=vlan\nautoconnect=false\n[vlan]\nid=7\nparent=ib0\n")
        self.add(33, "anyport", "transport-mode=datagram\nmac-address=80:00:00:48:FE:80:00:00:00:00:00:00:00:02:C9:03:00:0A:00:02\n", "")
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        card = f"{CARDS}/0000:05:00.0/infiniband/mlx4_0"
        self.m.interface(card, "holder", GUID % 1, p_key="0x8003", parent="ib0")
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY    CARRIER  TSO  PROFILE
ib0.8003   --        --    --       --       --   newchild (not active)
  asked    datagram  auto  0x8003   --       --
  refused  P_Key 0x8003 is already the P_Key of holder, and the kernel makes one interface for each P_Key
  warning  mlx4_0 port 1 is a limited member of the partition of P_Key 0x8003: it reaches full members only
""", "newchild")
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044  0xffff full  yes      on   bridged (not active)
  asked    datagram  auto  --           --       --
  refused  profile 'bridged' is for type bridge on an InfiniBand interface; the kernel refuses this, because the address has 20 bytes, not 6
""", "bridged")
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044  0xffff full  yes      on   vlan
  refused  profile 'vlan' is for type vlan on an InfiniBand interface; the kernel refuses this, because the address has 20 bytes, not 6
""", "vlan")
        self.expect(0, """\
INTERFACE  MODE       MTU      P_KEY           CARRIER  TSO   PROFILE
ib1        connected  65520    0x7fff limited  down     idle  anyport (not active)
  asked    datagram   auto     --              --       --
  will be  datagram   <=10236  0x7fff limited  --       off
  change   transport mode will be datagram (profile 'anyport')
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "anyport")

    def test_parent_with_a_long_name(self):
        card = self.m.hca("mlx4_1", f"{CARDS}/0000:06:00.0", "mlx4_core")
        self.m.port(card, 1, guid=GUID % 0x11, p_keys=("0xffff", "0x8002"))
        self.m.interface(card, "long-name-ib", GUID % 0x11)
        self.add(34, "long", "transport-mode=datagram\np-key=32770\nparent=long-name-ib\n", "")
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        self.expect(0, """\
INTERFACE        MODE      MTU   P_KEY    CARRIER  TSO  PROFILE
long-name-.8002  --        --    --       --       --   long (not active)
  asked          datagram  auto  0x8002   --       --
  refused  its parent's name long-name-ib has more than 10 characters: kernel and NetworkManager name P_Key children differently. Use a shorter name
  error    a value that a quirk compares cannot be read: /sys/class/net/long-name-ib/device/revision: No such file or directory. If the quirk applies, data may be corrupted. Correct the error, then activate the profile again; the device plugin retries by itself
""", "long")

    def test_active_profile(self):
        subprocess.run(f"{NMCLI} connection add type tun mode tap con-name up ifname ib0 autoconnect no ipv4.method disabled ipv6.method disabled && "
                       f"{NMCLI} connection up up", shell=True, check=True, stdout=subprocess.DEVNULL)
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044  0xffff full  yes      on   up
  asked    --        --    --           --       --
  will be  datagram  2044  0xffff full  --       off
  change   TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
  change   ib0.8002: TSO will be switched off: this card corrupts large sends (quirk mlx4-connectx-a0-lso)
""", "ib0")
        self.expect(1, "", "up", err="Error: profile 'up' is not of type infiniband\n")
        self.assertEqual(self.m.run("-g", "interface,nm_state,profile", "port").out, "ib0:connected:up\nib0.8002:unmanaged:\nib1:unmanaged:\n")
        metrics = self.m.run("port", "--metrics").out
        for line in ('interface_activated{interface="ib0",hca="mlx4_0",port="1"} 1', 'interface_activated{interface="ib1",hca="mlx4_0",port="2"} 0',
                     'interface_info{interface="ib0",hca="mlx4_0",port="1",p_key="0xffff",profile="up"} 1'):
            self.assertIn(f"nm_ib_{line}\n", metrics)
        self.assertEqual(self.m.run("apply", "plain").code, 10)
        self.assertEqual(self.m.run("apply", "up").out, "ib0 and 1 more: tx-tcp-segmentation switched off (quirk mlx4-connectx-a0-lso)\n")

    def test_rdma_words(self):
        roce = self.m.hca("mlx5_3", f"{CARDS}/0000:82:00.0", pci={"class": "0x020000"})
        self.m.port(roce, link_layer="Ethernet", state="4: ACTIVE", phys_state="5: LinkUp", rate="100 Gb/sec (4X EDR)",
                    **{"gids/0": "fe80:0000:0000:0000:0202:c9ff:fe0a:0031", "gid_attrs/types/0": "RoCE v2", "gid_attrs/ndevs/0": "eth1"})
        subprocess.run("ip link add eth1 type veth peer name eth2", shell=True, check=True)
        self.addCleanup(subprocess.run, "ip link delete eth1", shell=True, check=True)
        self.m.files(f"{CARDS}/0000:82:00.0/net/eth1", {"ifindex": str(socket.if_nametoindex("eth1")), "dev_port": "0", "type": "1"})
        machine.link(f"{self.m.top}/class/net/eth1", f"{self.m.top}/{CARDS}/0000:82:00.0/net/eth1")
        machine.link(f"{self.m.top}/{CARDS}/0000:82:00.0/net/eth1/device", f"{self.m.top}/{CARDS}/0000:82:00.0")
        for name, interface, words in (("roce", "eth1", ("rdma.roce-tos", "106", "rdma.roce-mode", "v2")), ("soft", "eth1", ("rdma.soft-rdma", "rxe")),
                                       ("skipped", "ib0", ("rdma.skip", "yes")), ("gone", "eth7", ("rdma.roce-mode", "v1"))):
            kind = "infiniband" if interface == "ib0" else "ethernet"
            added = self.m.run("connection", "add", "type", kind, "con-name", name, "ifname", interface, "autoconnect", "no", *words)
            self.assertEqual(added.code, 0, added)
        self.expect(0, """\
roce: rdma roce-mode=v2, roce-tos=106
  warning  eth1: rdma.roce-mode cannot be set on mlx5_3/1: the module rdma_cm is not loaded (modprobe rdma_ucm)
""", "roce")
        self.expect(0, """\
soft: rdma soft-rdma=rxe
  change   RDMA device rxe_eth1 made on eth1
""", "soft")
        self.expect(0, """\
INTERFACE  MODE      MTU   P_KEY        CARRIER  TSO  PROFILE
ib0        datagram  2044  0xffff full  yes      on   skipped (not active)
  asked    datagram  auto  --           --       --
  note     profile 'skipped' leaves everything to NetworkManager (rdma.skip yes)
  change   none
""", "skipped")
        self.expect(0, """\
gone: rdma roce-mode=v1
  note     interface eth7 does not exist
""", "gone")
        whole = json.loads(self.answer("roce", "--json").out)
        self.assertEqual(whole["rdma"].pop("uuid") != "", True)
        self.assertEqual((whole["interfaces"], whole["rdma"]), ([], {
            "interface": "eth1", "exists": True, "profile": "roce", "words": {"roce-mode": "v2", "roce-tos": "106"}, "changes": [],
            "findings": [{"id": "rdma-no-cm", "severity": "warning", "text": "eth1: rdma.roce-mode cannot be set on mlx5_3/1: the module rdma_cm is not loaded (modprobe rdma_ucm)"}]}))


if __name__ == "__main__":
    with sandbox.bus(), sandbox.network_manager(NMCLI):
        unittest.main()
