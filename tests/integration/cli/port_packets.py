#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""port_packets.py NM-IB: to which ports nm-ib port sends subnet management packets, and unusual cards."""
import json
import os
import sys
import unittest

import machine
import sandbox
from machine import CARDS, DOWN, Machine, port_info

sandbox.enter()
machine.isolate()
NM_IB = sys.argv.pop(1)
GUID = "00:02:c9:03:00:0a:00:%02x"


class Silent(machine.Case):
    """A packet without an answer costs a second, so nm-ib does not send the others."""

    def setUp(self):
        self.m = self.enterContext(Machine(NM_IB))
        self.m.files("class/infiniband_mad", {"abi_version": "5"})

    def ports(self, *mads, **files):
        for i, lines in enumerate(mads):
            hca = self.m.hca(f"mlx5_{i}", f"{CARDS}/0000:{i + 5:02x}:00.0")
            self.m.port(hca, guid=GUID % (i + 1), mads=lines, **files)

    def unread(self):
        return {port["port"]: " ".join(f"{key}: {why}" for key, why in sorted(port["unread"].items()) if "enabled" not in key)
                for port in json.loads(self.m.run("port", "--json").out)["ports"]}

    def test_two_silent_peers_end_the_questions(self):
        slow = f"own {port_info(speeds=(8, 8, 4))}"
        self.ports((slow,), (slow,), (slow,))
        self.assertEqual(self.unread(), {"mlx5_0/1": "peer_supported: mlx5_0/1: Connection timed out",
                                         "mlx5_1/1": "peer_supported: mlx5_1/1: Connection timed out", "mlx5_2/1": ""})

    def test_port_without_a_link_asks_no_peer(self):
        self.ports((f"own {port_info(speeds=(8, 8, 4))}",), **DOWN)
        self.assertEqual(self.unread(), {"mlx5_0/1": ""})

    def test_silent_manager_is_not_asked_again(self):
        self.ports(*[(f"own {port_info()}", "node 03", f"peer 3 {port_info()}")] * 2)
        self.assertEqual(self.unread(), {"mlx5_0/1": "sm_guid: mlx5_0/1: Connection timed out", "mlx5_1/1": ""})

    def test_manager_that_refuses_is_not_silent(self):
        own = f"own {port_info()}"
        self.ports((own, "node 03", f"peer 3 {port_info()}", "manager 1 refused"), (own, "manager 1 0002c903000b0001"))
        self.assertEqual([port["sm_guid"] for port in json.loads(self.m.run("port", "--json").out)["ports"]], [None, "0002:c903:000b:0001"])

    def test_managers_of_other_subnets_are_asked(self):
        well = (f"own {port_info()}", "node 03", f"peer 3 {port_info()}")
        self.ports(well, (*well, "manager 2 0002c903000b0002"))
        machine.write(f"{self.m.top}/{CARDS}/0000:06:00.0/infiniband/mlx5_1/ports/1/sm_lid", "0x2\n")
        self.assertEqual(self.unread(), {"mlx5_0/1": "sm_guid: mlx5_0/1: Connection timed out", "mlx5_1/1": ""})

    def test_manager_is_unknown_if_no_packet_is_answered(self):
        self.ports((f"own {port_info()}",), sm_lid="0x1")
        self.assertEqual(self.unread(), {"mlx5_0/1": "peer_supported: mlx5_0/1: Connection timed out"})

    def test_manager_of_a_port_that_is_not_active_is_not_asked(self):
        self.ports((f"own {port_info()}",), state="2: INIT")
        self.assertEqual(self.unread(), {"mlx5_0/1": ""})

    def test_no_manager_is_asked_without_its_lid(self):
        self.ports((f"own {port_info()}", "node 03", f"peer 3 {port_info()}"), sm_lid="0x0")
        self.assertEqual(self.unread(), {"mlx5_0/1": ""})

    def test_virtual_function_asks_no_manager(self):
        self.ports((f"own {port_info()}", "node 03", f"peer 3 {port_info()}"))
        machine.write(f"{self.m.top}/{CARDS}/0000:05:00.0/device", "0x101e\n")
        self.assertEqual(self.unread(), {"mlx5_0/1": ""})

    def test_module_is_missing(self):
        os.unlink(f"{self.m.top}/class/infiniband_mad/abi_version")
        self.ports((f"own {port_info()}",))
        self.assertEqual(self.unread(), {"mlx5_0/1": " ".join(f"{key}: PortInfo: the module ib_umad is not loaded (modprobe ib_umad)"
                                                              for key in ("link_supported", "mtu_active", "mtu_max"))})


class Cards(machine.Case):
    command = ("port",)

    def setUp(self):
        self.m = self.enterContext(Machine(NM_IB))
        self.m.files("class/infiniband_mad", {"abi_version": "5"})

    def test_planes_are_one_port_that_another_device_answers_for(self):
        card = self.m.hca("mlx5_0", sys_image_guid="0002:c903:000a:0003")
        smi = self.m.hca("smi0", f"{CARDS}/0000:06:00.0", sys_image_guid="0002:c903:000a:0003")
        self.m.port(card, guid=GUID % 1, cap_mask="0x2651ec48", rate="800 Gb/sec (4X XDR)")
        for number in (1, 2, 3, 4):
            self.m.port(smi, number, guid=GUID % 1, mads=(f"own {port_info(mtu=4)}",))
        self.expect(0, """\
HCA.NAME:                               mlx5_0
HCA.SMI:                                smi0
HCA.PLANES:                             4
PORT.NAME:                              mlx5_0/1
PORT.MTU_ACTIVE:                        2048
""", "show", "mlx5_0", before=("-f", "HCA.NAME,HCA.SMI,HCA.PLANES,PORT.NAME,PORT.MTU_ACTIVE"))
        self.expect(0, "mlx5_0/1:2048\n", before=("-g", "port,mtu_active"))
        self.assertEqual(json.loads(self.answer("--json").out)["ports"][0]["unread"], {})

    def test_function_of_nvswitches_is_not_asked(self):
        card = self.m.hca("mlx5_0", pci={"vpd": "\x82 SMDL=SW_MNG"})
        self.m.port(card, guid=GUID % 1, mads=(f"own {port_info()}",), **{"counters/symbol_error": "7"})
        self.expect(0, """\
HCA.ROLE:                               nvswitch-management
PORT.MTU_ACTIVE:                        --
""", "show", "mlx5_0", before=("-f", "HCA.ROLE,PORT.MTU_ACTIVE"))
        self.assertNotIn("symbol_error", self.m.run("port", "--metrics").out)

    def test_text_of_the_card_is_escaped(self):
        card = self.m.hca("mlx5_0", board_id='a"b\\c', fw_ver="1\0332")
        self.m.port(card, guid=GUID % 1)
        self.assertIn('board_id="a\\"b\\\\c",firmware="1\\\\x1b2"', self.m.run("port", "--metrics").out)

    def test_metrics(self):
        card = self.m.hca("mlx5_0", board_id="MT_0000000838")
        self.m.port(card, guid=GUID % 1, rate="200 Gb/sec (2X NDR)", mads=(f"own {port_info(mtu=4)}",), **{
            "counters/symbol_error": "7", "counters/link_downed": "1", "counters/link_error_recovery": "2", "hw_counters/port_rcv_errors": "3"})
        self.m.interface(card, "ib0", GUID % 1)
        self.m.interface(card, "ib0.8002", GUID % 1, mode="connected", mtu=65520, p_key="0x8002", parent="ib0", up=False, carrier=False)
        soft = self.m.hca("rxe0", "")
        self.m.port(soft, link_layer="Ethernet", state="1: DOWN", phys_state="3: Disabled", rate="2.5 Gb/sec (1X)")
        self.expect(0, """\
# HELP nm_ib_port_info What a port is; always 1.
# TYPE nm_ib_port_info gauge
nm_ib_port_info{hca="mlx5_0",port="1",guid="0002:c903:000a:0001",link_layer="InfiniBand",lanes="2X NDR",board_id="MT_0000000838"} 1
nm_ib_port_info{hca="rxe0",port="1",link_layer="RoCE",lanes="1X"} 1
# HELP nm_ib_port_up Whether the state of the port is Active.
# TYPE nm_ib_port_up gauge
nm_ib_port_up{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 1
nm_ib_port_up{hca="rxe0",port="1"} 0
# HELP nm_ib_port_state_id State: 1 Down, 2 Init, 3 Armed, 4 Active.
# TYPE nm_ib_port_state_id gauge
nm_ib_port_state_id{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 4
nm_ib_port_state_id{hca="rxe0",port="1"} 1
# HELP nm_ib_port_physical_state_id Physical state: 1 Sleep, 2 Polling, 3 Disabled, 4 Training, 5 LinkUp, 6 LinkErrorRecovery, 7 PhyTest.
# TYPE nm_ib_port_physical_state_id gauge
nm_ib_port_physical_state_id{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 5
nm_ib_port_physical_state_id{hca="rxe0",port="1"} 3
# HELP nm_ib_port_rate_bytes_per_second Rate on the wire, all lanes together; up to QDR, the data rate is 80 % of this.
# TYPE nm_ib_port_rate_bytes_per_second gauge
nm_ib_port_rate_bytes_per_second{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 25000000000
nm_ib_port_rate_bytes_per_second{hca="rxe0",port="1"} 312500000
# HELP nm_ib_port_sm_lid LID of the subnet manager; 0: none was seen.
# TYPE nm_ib_port_sm_lid gauge
nm_ib_port_sm_lid{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 1
# HELP nm_ib_port_mtu_bytes InfiniBand MTU in use.
# TYPE nm_ib_port_mtu_bytes gauge
nm_ib_port_mtu_bytes{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 2048
# HELP nm_ib_port_symbol_error_total Symbol errors on the lanes (sysfs: symbol_error).
# TYPE nm_ib_port_symbol_error_total counter
nm_ib_port_symbol_error_total{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 7
# HELP nm_ib_port_rcv_errors_total Packets received with an error (sysfs: port_rcv_errors).
# TYPE nm_ib_port_rcv_errors_total counter
nm_ib_port_rcv_errors_total{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 3
# HELP nm_ib_port_link_error_recovery_total Times that the link recovered from an error (sysfs: link_error_recovery).
# TYPE nm_ib_port_link_error_recovery_total counter
nm_ib_port_link_error_recovery_total{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 2
# HELP nm_ib_port_link_downed_total Times that the link went down (sysfs: link_downed).
# TYPE nm_ib_port_link_downed_total counter
nm_ib_port_link_downed_total{hca="mlx5_0",port="1",guid="0002:c903:000a:0001"} 1
# HELP nm_ib_interface_info What an interface is; always 1.
# TYPE nm_ib_interface_info gauge
nm_ib_interface_info{interface="ib0",hca="mlx5_0",port="1",p_key="0xffff"} 1
nm_ib_interface_info{interface="ib0.8002",hca="mlx5_0",port="1",p_key="0x8002"} 1
# HELP nm_ib_interface_up Whether the interface is up.
# TYPE nm_ib_interface_up gauge
nm_ib_interface_up{interface="ib0",hca="mlx5_0",port="1"} 1
nm_ib_interface_up{interface="ib0.8002",hca="mlx5_0",port="1"} 0
# HELP nm_ib_interface_carrier Whether the interface has a carrier.
# TYPE nm_ib_interface_carrier gauge
nm_ib_interface_carrier{interface="ib0",hca="mlx5_0",port="1"} 1
nm_ib_interface_carrier{interface="ib0.8002",hca="mlx5_0",port="1"} 0
# HELP nm_ib_interface_mtu_bytes MTU of the interface.
# TYPE nm_ib_interface_mtu_bytes gauge
nm_ib_interface_mtu_bytes{interface="ib0",hca="mlx5_0",port="1"} 2044
nm_ib_interface_mtu_bytes{interface="ib0.8002",hca="mlx5_0",port="1"} 65520
# HELP nm_ib_interface_connected_mode Transport mode: 1 connected, 0 datagram.
# TYPE nm_ib_interface_connected_mode gauge
nm_ib_interface_connected_mode{interface="ib0",hca="mlx5_0",port="1"} 0
nm_ib_interface_connected_mode{interface="ib0.8002",hca="mlx5_0",port="1"} 1
""", "--metrics")

    def test_values_that_cannot_be_parsed(self):
        card = self.m.hca("mlx5_0")
        self.m.port(card, guid=GUID % 1, rate="fast", state="9: ODD", lid="0x10000", link_layer="InfiniBand")
        self.expect(0, """\
PORT      LINK_LAYER  STATE  RATE  LID  SM_LID  GUID
mlx5_0/1  InfiniBand  ?      ?     ?    1       0002:c903:000a:0001
""", err="""\
note: '?' cannot be read: /sys/class/infiniband/mlx5_0/ports/1/lid: cannot be parsed
note: '?' cannot be read: /sys/class/infiniband/mlx5_0/ports/1/rate: cannot be parsed
note: '?' cannot be read: /sys/class/infiniband/mlx5_0/ports/1/state: cannot be parsed
""")
        self.expect(0, "mlx5_0/1:?:?:?\n", before=("-t", "-f", "port,state,rate,lid"))

    def test_no_card(self):
        self.expect(0, "No RDMA device found.\n")
        self.expect(0, "", before=("-t",))


if __name__ == "__main__":
    unittest.main()
