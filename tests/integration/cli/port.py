#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""port.py NM-IB: nm-ib port on mixed machines: the whole output, and the exit codes. Without NetworkManager."""
import json
import os
import subprocess
import sys
import unittest

import live
import machine
import sandbox
from machine import CARDS, DOWN, Machine, port_info

sandbox.enter()
machine.isolate()
NM_IB = sandbox.for_anybody(sys.argv.pop(1))
GUID = "00:02:c9:03:00:0a:00:%02x"
INIT = {"state": "2: INIT", "sm_lid": "0x0", "lid": "0x0"}


def mixed(m):
    """A card with a virtual function and a child, a 2X port in another PCI domain, a card with two idle ports, RoCE, Soft-RoCE."""
    m.files("class/infiniband_mad", {"abi_version": "5"})
    card = m.hca("mlx5_0", f"{CARDS}/0000:05:00.0", fw_ver="28.40.1000", board_id="MT_0000000838", hca_type="MT4129", hw_rev="0",
                 node_desc="node1 HCA-1", node_guid="0002:c903:000a:0000", sys_image_guid="0002:c903:000a:0003",
                 pci={"current_link_speed": "16.0 GT/s PCIe", "current_link_width": "16", "max_link_speed": "32.0 GT/s PCIe",
                      "max_link_width": "16", "sriov_numvfs": "1", "sriov_totalvfs": "8"})
    m.files(CARDS, {"current_link_speed": "16.0 GT/s PCIe", "current_link_width": "16", "max_link_speed": "16.0 GT/s PCIe",
                    "max_link_width": "16"})
    m.port(card, guid=GUID % 1, p_keys=("0xffff", "0x8002", "0x0000", "0x0003"),
           mads=(f"own {port_info()}", f"manager 1 {'0002c903000b0001'}"),
           **{"gids/1": "fec0:0000:0000:0000:0002:c903:000a:0001", "gids/2": "0000:0000:0000:0000:0000:0000:0000:0000",
              "gid_attrs/types/0": "IB/RoCE v1", "counters/symbol_error": "7", "counters/link_downed": "1",
              "hw_counters/port_rcv_errors": "3", "counters/port_rcv_errors": "4"})
    m.interface(card, "ib0", GUID % 1)
    m.interface(card, "ib0.8002", GUID % 1, mode="connected", mtu=65520, p_key="0x8002", parent="ib0", up=False, carrier=False)
    function = m.hca("mlx5_1", f"{CARDS}/0000:05:00.1", pci={"device": "0x101e"})
    machine.link(f"{m.top}/{CARDS}/0000:05:00.1/physfn", f"{m.top}/{CARDS}/0000:05:00.0")
    machine.link(f"{m.top}/{CARDS}/0000:05:00.0/virtfn0", f"{m.top}/{CARDS}/0000:05:00.1")
    m.port(function, guid=GUID % 0x11, mads=(f"own {port_info()}",), **DOWN, sm_lid="0x0", lid="0xffff")
    other = m.hca("mlx5_2", "devices/pci0001:00/0001:05:00.0", board_id="MT_0000000838", fw_ver="28.40.1000")
    m.port(other, guid=GUID % 2, rate="200 Gb/sec (2X NDR)", lid="0x4", cap_mask="0x2651e84a",
           mads=(f"own {port_info(lanes=(18, 18, 16))}", "node 11", f"peer 17 {port_info(lanes=(18, 16, 16))}",
                 "manager 1 refused"))
    m.interface(other, "ib1", GUID % 2, mtu=4092, mode="datagram")
    idle = m.hca("mlx4_0", "devices/pci0000:80/0000:81:00.0", "mlx4_core", pci={"device": "0x1003"}, fw_ver="2.42.5000")
    m.port(idle, 1, guid=GUID % 0x21, rate="10 Gb/sec (4X SDR)", mads=("open 13",), **DOWN, lid="0x0", sm_lid="0x0")
    m.port(idle, 2, guid=GUID % 0x22, rate="40 Gb/sec (4X QDR)", mads=(f"own {'00' * 64}",), **INIT)
    roce = m.hca("mlx5_3", "devices/pci0000:80/0000:82:00.0", pci={"class": "0x020000"})
    m.port(roce, link_layer="Ethernet", state="4: ACTIVE", phys_state="5: LinkUp", rate="100 Gb/sec (4X EDR)", lid="0x0",
           **{"gids/0": "fe80:0000:0000:0000:0202:c9ff:fe0a:0031", "gid_attrs/types/0": "RoCE v2", "gid_attrs/ndevs/0": "eth1"})
    m.files("kernel/config/rdma_cm/mlx5_3/ports/1", {"default_roce_mode": "RoCE v2"})
    soft = m.hca("rxe0", "", parent="eth2")
    m.port(soft, link_layer="Ethernet", state="1: DOWN", phys_state="3: Disabled", rate="2.5 Gb/sec (1X)")
    subprocess.run("ip link add eth1 type veth peer name eth2 && ip link set eth1 up && ip link set eth2 up mtu 9000",
                   shell=True, check=True)
    m.callback(subprocess.run, ["ip", "link", "delete", "eth1"], check=True)


class Ports(machine.Case):
    command = ("port",)

    def setUp(self):
        self.m = self.enterContext(Machine(NM_IB))
        mixed(self.m)

    def test_list(self):
        self.expect(0, """\
PORT      LINK_LAYER  STATE          RATE      LID    SM_LID  GUID
mlx4_0/1  InfiniBand  Down/Polling   10 Gb/s   0      0       0002:c903:000a:0021
mlx4_0/2  InfiniBand  Init           40 Gb/s   0      0       0002:c903:000a:0022
mlx5_0/1  InfiniBand  Active         400 Gb/s  3      1       0002:c903:000a:0001
mlx5_1/1  InfiniBand  Down/Polling   400 Gb/s  65535  0       0002:c903:000a:0011
mlx5_2/1  InfiniBand  Active         200 Gb/s  4      1       0002:c903:000a:0002
mlx5_3/1  RoCE        Active         100 Gb/s  --     --      --
rxe0/1    RoCE        Down/Disabled  2.5 Gb/s  --     --      --

INTERFACE   PORT      P_KEY   MODE       MTU    NM_STATE  PROFILE
ib0         mlx5_0/1  0xffff  datagram   2044   --        --
  ib0.8002  mlx5_0/1  0x8002  connected  65520  --        --
ib1         mlx5_2/1  0xffff  datagram   4092   --        --
eth1        mlx5_3/1  --      --         1500   --        --
eth2        rxe0/1    --      --         9000   --        --
""")
        self.expect(2, "", "mlx5_9", err="""\
Error: port: unknown command 'mlx5_9'
Did you mean:
  nm-ib port show mlx5_9
""")

    def test_list_in_colours(self):
        answer = self.m.run("--colors", "yes", "port")
        for text in ("mlx5_0/1  InfiniBand  \033[32mActive\033[0m ", "\033[31mDown/Polling\033[0m", "\033[33mInit\033[0m"):
            self.assertIn(text, answer.out)

    def test_show(self):
        self.expect(0, """\
HCA.NAME:                               mlx5_0
HCA.DRIVER:                             mlx5_core
HCA.BUS_INFO:                           0000:05:00.0
HCA.PCI_ID:                             15b3:1021
HCA.PCI_SPEED:                          16.0 GT/s PCIe
HCA.PCI_WIDTH:                          16
HCA.PCI_MAX_SPEED:                      32.0 GT/s PCIe
HCA.PCI_MAX_WIDTH:                      16
HCA.ROLE:                               --
HCA.SMI:                                --
HCA.PLANES:                             --
HCA.TYPE:                               MT4129
HCA.BOARD_ID:                           MT_0000000838
HCA.FIRMWARE:                           28.40.1000
HCA.REVISION:                           0
HCA.NODE_GUID:                          0002:c903:000a:0000
HCA.SYSTEM_GUID:                        0002:c903:000a:0003
HCA.DESCRIPTION:                        node1 HCA-1
HCA.PHYSICAL_FUNCTION:                  --
HCA.VFS:                                1
HCA.MAX_VFS:                            8
HCA.VF[0]:                              0000:05:00.1 mlx5_1
PORT.NAME:                              mlx5_0/1
PORT.HCA:                               mlx5_0
PORT.NUMBER:                            1
PORT.LINK_LAYER:                        InfiniBand
PORT.STATE:                             Active
PORT.PHYSICAL_STATE:                    LinkUp
PORT.RATE:                              400 Gb/s 4X NDR
PORT.RATE_MBPS:                         400000
PORT.GUID:                              0002:c903:000a:0001
PORT.LID:                               3
PORT.LMC:                               0
PORT.SM_LID:                            1
PORT.SM_SL:                             0
PORT.SM_HERE:                           no
PORT.CAPABILITIES:                      0x2651e848
PORT.MTU_ACTIVE:                        4096
PORT.MTU_MAX:                           4096
PORT.LINK_SUPPORTED:                    4X NDR
PORT.LINK_ENABLED:                      4X NDR
PORT.PEER_SUPPORTED:                    --
PORT.PEER_ENABLED:                      --
PORT.SM_GUID:                           0002:c903:000b:0001
PORT.SYMBOL_ERROR:                      7
PORT.PORT_RCV_ERRORS:                   4
PORT.LINK_ERROR_RECOVERY:               --
PORT.LINK_DOWNED:                       1
PORT.SUBNET_PREFIX:                     0xfe80000000000000
PORT.DEFAULT_ROCE_MODE:                 --
INTERFACE[1].NAME:                      ib0
INTERFACE[1].PARENT:                    --
INTERFACE[1].P_KEY:                     0xffff
INTERFACE[1].MODE:                      datagram
INTERFACE[1].MTU:                       2044
INTERFACE[1].UP:                        yes
INTERFACE[1].CARRIER:                   yes
INTERFACE[1].NM_STATE:                  --
INTERFACE[1].PROFILE:                   --
INTERFACE[1].UUID:                      --
INTERFACE[1].ADDRESS:                   80:00:00:48:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:01
INTERFACE[1].FLAGS:                     0x80
INTERFACE[1].QPN:                       0x000048
INTERFACE[1].SUBNET_PREFIX:             0xfe80000000000000
INTERFACE[1].PORT_GUID:                 0002:c903:000a:0001
INTERFACE[1].ARP_ADDRESS:               80:00:00:48:fe:80
INTERFACE[1].DHCP_CLIENT_ID:            20:00:02:c9:03:00:0a:00:01
INTERFACE[2].NAME:                      ib0.8002
INTERFACE[2].PARENT:                    ib0
INTERFACE[2].P_KEY:                     0x8002
INTERFACE[2].MODE:                      connected
INTERFACE[2].MTU:                       65520
INTERFACE[2].UP:                        no
INTERFACE[2].CARRIER:                   no
INTERFACE[2].NM_STATE:                  --
INTERFACE[2].PROFILE:                   --
INTERFACE[2].UUID:                      --
INTERFACE[2].ADDRESS:                   80:00:00:48:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:01
INTERFACE[2].FLAGS:                     0x80
INTERFACE[2].QPN:                       0x000048
INTERFACE[2].SUBNET_PREFIX:             0xfe80000000000000
INTERFACE[2].PORT_GUID:                 0002:c903:000a:0001
INTERFACE[2].ARP_ADDRESS:               80:00:00:48:fe:80
INTERFACE[2].DHCP_CLIENT_ID:            20:00:02:c9:03:00:0a:00:01
P_KEY[0]:                               0xffff full ib0
P_KEY[1]:                               0x8002 full ib0.8002
P_KEY[3]:                               0x0003 limited
GID[0]:                                 fe80:0000:0000:0000:0002:c903:000a:0001 IB/RoCE v1
GID[1]:                                 fec0:0000:0000:0000:0002:c903:000a:0001
""", "show", "mlx5_0")
        self.expect(0, """\
PORT.NAME:                              mlx5_2/1
PORT.HCA:                               mlx5_2
PORT.NUMBER:                            1
PORT.LINK_LAYER:                        InfiniBand
PORT.STATE:                             Active
PORT.PHYSICAL_STATE:                    LinkUp
PORT.RATE:                              200 Gb/s 2X NDR
PORT.RATE_MBPS:                         200000
PORT.GUID:                              0002:c903:000a:0002
PORT.LID:                               4
PORT.LMC:                               0
PORT.SM_LID:                            1
PORT.SM_SL:                             0
PORT.SM_HERE:                           yes
PORT.CAPABILITIES:                      0x2651e84a
PORT.MTU_ACTIVE:                        4096
PORT.MTU_MAX:                           4096
PORT.LINK_SUPPORTED:                    4X NDR
PORT.LINK_ENABLED:                      4X NDR
PORT.PEER_SUPPORTED:                    4X NDR
PORT.PEER_ENABLED:                      2X NDR
PORT.SM_GUID:                           ?
PORT.SYMBOL_ERROR:                      --
PORT.PORT_RCV_ERRORS:                   --
PORT.LINK_ERROR_RECOVERY:               --
PORT.LINK_DOWNED:                       --
PORT.SUBNET_PREFIX:                     0xfe80000000000000
PORT.DEFAULT_ROCE_MODE:                 --
""", "show", "ib1", before=("-f", "PORT"), err="note: '?' cannot be read: mlx5_2/1: no valid answer\n")

    def test_show_has_the_ports_that_a_word_names(self):
        for word, ports in (("mlx4_0", "mlx4_0/1 mlx4_0/2"), ("mlx4_0/2", "mlx4_0/2"), ("0000:81:00.0/1", "mlx4_0/1"), ("81:00.0", "mlx4_0/1 mlx4_0/2"),
                            ("0001:05:00.0", "mlx5_2/1"), ("05:00.0", "mlx5_0/1"), (GUID % 2, "mlx5_2/1"), ("ib0.8002", "mlx5_0/1"),
                            ("eth1", "mlx5_3/1"), ("rxe0", "rxe0/1"), ("eth2", "rxe0/1")):
            self.expect(0, ports.replace(" ", "\n\n") + "\n", "show", word, before=("-g", "PORT.NAME"))
        for word in ("ib9", "mlx4_0/3", "mlx5", "lo"):
            self.expect(10, "", "show", word, err=f"Error: {word}: no such port, or interface of a port\nTo list the ports:\n  nm-ib port\n")

    def test_fields_of_a_list(self):
        self.expect(0, ('mlx4_0/1:InfiniBand:Down:Polling:10 Gb/s 4X SDR:0:0:?:?:0002\\:c903\\:000a\\:0021::::::::\n'
                    'mlx4_0/2:InfiniBand:Init:LinkUp:40 Gb/s 4X QDR:0:0:?:?:0002\\:c903\\:000a\\:0022::::::::\n'
                    'mlx5_0/1:InfiniBand:Active:LinkUp:400 Gb/s 4X NDR:3:1:4096:4096:0002\\:c903\\:000a\\:0001:ib0::0xffff:datagram:2044:yes::\n'
                    'mlx5_0/1:InfiniBand:Active:LinkUp:400 Gb/s 4X NDR:3:1:4096:4096:0002\\:c903\\:000a\\:0001:ib0.8002:ib0:0x8002:connected:65520:no::\n'
                    'mlx5_1/1:InfiniBand:Down:Polling:400 Gb/s 4X NDR:65535:0:4096:4096:0002\\:c903\\:000a\\:0011::::::::\n'
                    'mlx5_2/1:InfiniBand:Active:LinkUp:200 Gb/s 2X NDR:4:1:4096:4096:0002\\:c903\\:000a\\:0002:ib1::0xffff:datagram:4092:yes::\n'
                    'mlx5_3/1:RoCE:Active:LinkUp:100 Gb/s 4X EDR::::::eth1::::1500:yes::\n'
                    'rxe0/1:RoCE:Down:Disabled:2.5 Gb/s 1X::::::eth2::::9000:yes::\n'), before=("-t",))
        self.expect(0, """\
PORT      INTERFACE  P_KEY   MTU_ACTIVE
mlx4_0/1  --         --      ?
mlx4_0/2  --         --      ?
mlx5_0/1  ib0        0xffff  4096
mlx5_0/1  ib0.8002   0x8002  4096
mlx5_1/1  --         --      4096
mlx5_2/1  ib1        0xffff  4096
mlx5_3/1  eth1       --      --
rxe0/1    eth2       --      --
""", before=("-f", "port,interface,p_key,mtu_active"), err="""\
note: '?' cannot be read: MTU_ACTIVE, LINK_SUPPORTED: only root can read these values
note: '?' cannot be read: mlx4_0/2: PortInfo has no valid MTU
""")
        self.expect(0, """\
::
::
ib0::yes
ib0.8002:ib0:no
::
ib1::yes
eth1::yes
eth2::yes
""", before=("-g", "interface,parent,carrier"))
        self.assertTrue(self.answer(before=("-m", "multiline", "-f", "PORT,RATE")).out.startswith(
            "PORT:                                   mlx4_0/1\nRATE:                                   10 Gb/s 4X SDR\nPORT:  "))
        self.expect(2, "", before=("-f", "port,nonsense"), err="""\
Error: invalid field 'nonsense'; allowed fields: PORT,LINK_LAYER,STATE,PHYSICAL_STATE,RATE,LID,SM_LID,MTU_ACTIVE,MTU_MAX,GUID,INTERFACE,PARENT,P_KEY,MODE,MTU,CARRIER,NM_STATE,PROFILE
""")

    def test_fields_of_a_port(self):
        self.expect(0, """\
INTERFACE[2].MTU:                       65520
INTERFACE[1].MTU:                       2044
INTERFACE[2].MTU:                       65520
P_KEY[3]:                               0x0003 limited
GID[0]:                                 fe80:0000:0000:0000:0002:c903:000a:0001 IB/RoCE v1
GID[1]:                                 fec0:0000:0000:0000:0002:c903:000a:0001
HCA.VF[0]:                              0000:05:00.1 mlx5_1
HCA.VF[0]:                              0000:05:00.1 mlx5_1
PORT.LID:                               3
HCA.NAME:                               mlx5_0
""", "show", "mlx5_0", before=("-f", "INTERFACE[2].MTU,interface.mtu,P_KEY[3],gid,HCA.VF,HCA.VF[0],PORT.LID,hca.name"))
        self.assertEqual(self.answer("show", "mlx5_0", before=("-f", "Interface[1]")).out.count("INTERFACE[1]."), 17)
        for none in ("HCA.VF[7]", "P_KEY[9]", "GID[9]"):
            self.expect(2, "", "show", "mlx5_0", before=("-f", none),
                        err=f"Error: invalid field '{none}'; allowed fields: HCA,PORT,INTERFACE,P_KEY,GID\n")
        for none in ("HCA.VF", "INTERFACE.MTU", "INTERFACE[9].MTU", "INTERFACE"):
            self.expect(0, "", "show", "mlx4_0/1", before=("-t", "-f", none))
        self.expect(0, """\
PORT.STATE:Active
INTERFACE[1].P_KEY:0xffff
INTERFACE[2].P_KEY:0x8002
""", "show", "mlx5_0", before=("-t", "-f", "PORT.STATE,INTERFACE.P_KEY"))
        self.expect(0, "PORT.DEFAULT_ROCE_MODE:\n", "show", "mlx5_0", before=("-t", "-f", "PORT.DEFAULT_ROCE_MODE"))
        self.expect(0, """\
Active
0xffff
0x8002
""", "show", "mlx5_0", before=("-g", "PORT.STATE,INTERFACE.P_KEY"))
        self.expect(0, "INTERFACE[1].ADDRESS:                   --\n", "show", "rxe0", before=("-f", "INTERFACE.ADDRESS"))
        whole = self.answer("show", "mlx5_0")
        self.assertEqual([self.answer("show", "mlx5_0", before=("-f", fields)) for fields in ("all", "common")], [whole, whole])
        self.expect(2, "", "show", "mlx5_0", before=("-f", "PORT.NONSENSE"), err="Error: invalid field 'PORT.NONSENSE'; allowed fields: HCA,PORT,INTERFACE,P_KEY,GID\n")

    def test_json(self):
        answer = self.m.run("port", "--json")
        whole = json.loads(answer.out)
        self.assertEqual((answer.code, answer.err, whole["schema"], whole["host"]), (0, "", 1, os.uname().nodename))
        self.assertEqual([hca["name"] for hca in whole["hcas"]], ["mlx4_0", "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "rxe0"])
        card, port = whole["hcas"][1], whole["ports"][2]
        self.assertEqual(card["pci_path"], [
            {"bus_info": "0000:05:00.0", "link": "16 GT/s x16 (252 Gbit/s)", "maximum": "32 GT/s x16 (504 Gbit/s)"},
            {"bus_info": "0000:00:01.0", "link": "16 GT/s x16 (252 Gbit/s)", "maximum": "16 GT/s x16 (252 Gbit/s)"}])
        self.assertEqual(whole["hcas"][2]["pci_path"], []) # a virtual function
        self.assertEqual(whole["hcas"][3]["pci_path"], [{"bus_info": "0001:05:00.0", "link": None, "maximum": None}])
        self.assertEqual(card["virtual_functions"], [{"number": 0, "bus_info": "0000:05:00.1", "hca": "mlx5_1"}])
        self.assertEqual(whole["hcas"][2]["physical_function"], "0000:05:00.0")
        self.assertEqual(port["p_keys"], [{"index": 0, "p_key": "0xffff", "membership": "full", "interfaces": ["ib0"]},
                                          {"index": 1, "p_key": "0x8002", "membership": "full", "interfaces": ["ib0.8002"]},
                                          {"index": 3, "p_key": "0x0003", "membership": "limited", "interfaces": []}])
        self.assertEqual(whole["ports"][5]["gids"], [{"index": 0, "gid": "fe80:0000:0000:0000:0202:c9ff:fe0a:0031", "type": "RoCE v2", "interface": "eth1"}])
        self.assertEqual((whole["ports"][5]["default_roce_mode"], whole["ports"][5]["subnet_prefix"]), ("RoCE v2", None))
        only_root = "MTU_ACTIVE, LINK_SUPPORTED: only root can read these values"
        self.assertEqual(whole["ports"][0]["unread"], {key: only_root for key in ("mtu_active", "mtu_max", "link_supported", "link_enabled")})
        one = json.loads(self.m.run("port", "show", "mlx4_0/2", "--json").out)
        self.assertEqual(one["ports"], [port for port in whole["ports"] if port["port"] == "mlx4_0/2"])
        self.assertEqual([hca["name"] for hca in one["hcas"]], ["mlx4_0"])

    def test_no_metrics_with_other_forms(self):
        self.expect(2, "", "--metrics", "--json", err="Error: --metrics: not with --json.\n")
        self.expect(2, "", "--metrics", before=("-t",), err="""\
Error: -t, -f and -g: only for tables
For programs, use --json.
""")

    def test_users_see_what_only_root_can_read(self):
        self.expect(0, """\
PORT.LID:                               4
PORT.MTU_ACTIVE:                        4096
PORT.PEER_ENABLED:                      2X NDR
PORT.SM_GUID:                           ?
""", "show", "mlx5_2", before=("-f", "PORT.LID,PORT.MTU_ACTIVE,PORT.PEER_ENABLED,PORT.SM_GUID"), become=live.USER, err="note: '?' cannot be read: mlx5_2/1: no valid answer\n")


if __name__ == "__main__":
    unittest.main()
