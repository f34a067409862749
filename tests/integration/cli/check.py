#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""check.py NM-IB: the steps of nm-ib check towards a network namespace. ping and iperf3 are scripts."""
import json
import os
import subprocess
import sys
import unittest

import machine
import sandbox
from machine import CARDS, Machine

sandbox.enter()
machine.isolate()
NM_IB = sys.argv.pop(1)
BIN = f"{sandbox.OWN}/bin"
GUID = "00:02:c9:03:00:0a:00:01"


def answers(*times, sent=5):
    lines = "".join(f"64 bytes from 192.0.2.2: icmp_seq={i} ttl=64 time={ms} ms\n" for i, ms in enumerate(times, 1) if ms)
    return f"{lines}\n--- 192.0.2.2 ping statistics ---\n{sent} packets transmitted, {len(times)} received\n"


WELL = answers(0.9, 0.2, 0.3, 0.2, 0.3)
IPERF = {"start": {"tcp_mss_default": 1448}, "end": {"sum_received": {"bits_per_second": 40e9}}}
START = """route        ok       over eth1 (mlx5_3/1, MTU 1500)
carrier      ok       eth1 has a carrier
neighbour    ok       the link-layer address of 192.0.2.2 is known
"""
PING = START + "ping         ok       4/4 answered, 0.25 ms on average\n"


def shell(text):
    subprocess.run(text, shell=True, check=True)


class Check(machine.Case):
    command = ("check",)

    def setUp(self):
        self.m = self.enterContext(Machine(NM_IB))
        roce = self.m.hca("mlx5_3", f"{CARDS}/0000:82:00.0", pci={"current_link_speed": "16.0 GT/s PCIe", "current_link_width": "4"})
        self.m.port(roce, link_layer="Ethernet", state="4: ACTIVE", phys_state="5: LinkUp", rate="100 Gb/sec (4X EDR)",
                    **{"gids/0": "fe80:0000:0000:0000:0202:c9ff:fe0a:0031", "gid_attrs/ndevs/0": "eth1"})
        shell("ip netns add peer && ip link add eth1 type veth peer name eth2 netns peer && ip address add 192.0.2.1/24 dev eth1 && "
              "ip -6 address add 2001:db8::1/64 dev eth1 nodad && ip link set eth1 up && ip -n peer address add 192.0.2.2/24 dev eth2 && "
              "ip -n peer -6 address add 2001:db8::2/64 dev eth2 nodad && ip -n peer -6 address add fe80::2/64 dev eth2 nodad && "
              "ip -n peer link set eth2 up && cd /proc/sys/net/ipv4/neigh/eth1 && echo 200 >retrans_time_ms && echo 1 >mcast_solicit && "
              "cd /proc/sys/net/ipv6/neigh/eth1 && echo 200 >retrans_time_ms && echo 1 >mcast_solicit")
        self.addCleanup(shell, "ip link delete eth1; ip netns delete peer")
        machine.write("/etc/hosts", "192.0.2.2 peer\n2001:db8::2 peer six\n192.0.2.9 many\n")
        self.program("ping", WELL)

    def program(self, name, *outputs, err="", code=0, sleep=0):
        """Each call prints the next output; later calls repeat the last one. BIN/NAME.words has the arguments of the calls."""
        for i, out in enumerate(outputs):
            machine.write(f"{BIN}/{name}.{i}", out)
        machine.write(f"{BIN}/{name}.words", "")
        machine.write(f"{BIN}/{name}", f"""#!/bin/sh
            n=$(wc -l <{BIN}/{name}.words); [ "$n" -lt {len(outputs)} ] || n={len(outputs) - 1}
            echo "$*" >>{BIN}/{name}.words; cat {BIN}/{name}.$n; echo '{err}' >&2; exit {code}""", 0o755)

    def words(self, name):
        with open(f"{BIN}/{name}.words", encoding="ascii") as f:
            return f.read().splitlines()

    def answer(self, *words, **more):
        return super().answer(*words, **{"env": {"PATH": f"{BIN}:/usr/bin:/bin"}, **more})

    def test_all_steps_pass(self):
        self.program("iperf3", json.dumps(IPERF))
        self.expect(0, PING + "large-ping   ok       packets of 1500 bytes are answered\n"
                    "throughput   ok       40 Gbit/s, 63 % of 63 Gbit/s, which the PCI link of mlx5_3/1 carries\n", "192.0.2.2")
        self.assertEqual(self.words("ping"), ["-n -c 5 -i 0.2 -W 2 192.0.2.2", "-n -c 3 -i 0.2 -W 2 -M do -s 1472 192.0.2.2"])
        self.assertEqual(self.words("iperf3"), ["-c 192.0.2.2 -J -t 5 --connect-timeout 3000"])

    def test_json(self):
        self.program("iperf3", json.dumps(IPERF))
        answer = self.answer("peer", "-4", "--json")
        got = json.loads(answer.out)
        self.assertEqual((answer.code, answer.err, got.pop("host"), got.pop("version") != ""), (0, "", os.uname().nodename, True))
        self.assertEqual(got, {
            "schema": 1, "peer": "peer", "address": "192.0.2.2",
            "interface": {"name": "eth1", "port": "mlx5_3/1", "mode": None, "mtu": 1500, "data_rate_mbps": 100000, "pci_rate_mbps": 63015},
            "steps": [{"step": step, "result": "ok", "seen": seen, "mend": None} for step, seen in (
                ("route", "over eth1 (mlx5_3/1, MTU 1500)"), ("carrier", "eth1 has a carrier"),
                ("neighbour", "the link-layer address of 192.0.2.2 is known"), ("ping", "4/4 answered, 0.25 ms on average"),
                ("large-ping", "packets of 1500 bytes are answered"),
                ("throughput", "40 Gbit/s, 63 % of 63 Gbit/s, which the PCI link of mlx5_3/1 carries"))],
            "throughput": {"mbps": 40000, "segment_size": 1448}})
        failed = json.loads(self.answer("127.0.0.1", "--json").out)
        self.assertEqual((failed["interface"], failed["throughput"], failed["steps"][0]["result"]), (None, None, "failed"))
        self.assertEqual(failed["steps"][0]["mend"], "Run nm-ib check with an address of the other machine")

    def test_table(self):
        self.expect(0, """\
route:ok:over eth1 (mlx5_3/1, MTU 1500):
carrier:ok:eth1 has a carrier:
neighbour:ok:the link-layer address of 192.0.2.2 is known:
ping:ok:4/4 answered, 0.25 ms on average:
large-ping:ok:packets of 1500 bytes are answered:
""", "peer", "-4", "--no-iperf", before=("-t",))
        self.expect(4, """\
STEP   RESULT  MEND
route  failed  Run nm-ib check with an address of the other machine
""", "127.0.0.1", before=("-f", "STEP,RESULT,MEND"))
        self.expect(4, """\
STEP:                                   route
RESULT:                                 failed
SEEN:                                   127.0.0.1 is an address of this machine itself
MEND:                                   Run nm-ib check with an address of the other machine
""", "127.0.0.1", before=("-m", "multiline"))
        self.expect(4, """\
route        failed   127.0.0.1 is an address of this machine itself
  => Run nm-ib check with an address of the other machine
""", "127.0.0.1", before=("-m", "tabular"))
        self.expect(2, "", "127.0.0.1", before=("-f", "NONSENSE"), err="Error: invalid field 'NONSENSE'; allowed fields: STEP,RESULT,SEEN,MEND\n")

    def test_throughput(self):
        def seen(output, *words, **more):
            self.program("iperf3", output, **more)
            return self.answer("192.0.2.2", *words).out.split("are answered\n")[1]
        well = json.dumps(IPERF)
        self.assertEqual(seen(well, "--at-least", "63", "--time", "7"),
                         "throughput   ok       40 Gbit/s, 63 % of 63 Gbit/s, which the PCI link of mlx5_3/1 carries\n")
        self.assertEqual(self.words("iperf3"), ["-c 192.0.2.2 -J -t 7 --connect-timeout 3000"])
        self.expect(1, PING + """\
large-ping   ok       packets of 1500 bytes are answered
throughput   warning  40 Gbit/s, 63 % of 63 Gbit/s, which the PCI link of mlx5_3/1 carries
  => Check, the most likely cause first: mode and MTU of both ends (nm-ib port), TSO (ethtool -k), several streams (iperf3 -P 4), PCI slot (lspci -vv), processors
""", "192.0.2.2", "--at-least", "64")
        skipped = "throughput   skipped  iperf3 failed: %s\n  => On the peer, with TCP port 5201 open, run: iperf3 -s\n"
        self.assertEqual(seen(json.dumps({"error": "unable to connect"}), code=1), skipped % "unable to connect")
        self.assertEqual(seen("nothing"), skipped % "iperf3 reports no throughput")
        self.assertEqual(seen(well, "--no-iperf"), "")
        self.assertEqual(self.words("iperf3"), [])
        os.unlink(f"{BIN}/iperf3")
        self.expect(0, PING + """\
large-ping   ok       packets of 1500 bytes are answered
throughput   skipped  iperf3 is not installed, or not in PATH
  => Install the package iperf3
""", "192.0.2.2")

    def test_family_of_the_address(self):
        self.program("ping", answers(0.9, 0.2, sent=2))
        for words, peer in ((("-6", "peer"), "2001:db8::2"), (("2001:db8::2",), "2001:db8::2"), (("six",), "2001:db8::2"),
                            (("fe80::2%eth1",), "fe80::2%eth1"), (("-4", "peer"), "192.0.2.2")):
            out = PING.replace("192.0.2.2", peer).replace("4/4 answered, 0.25", "1/1 answered, 0.20")
            self.expect(0, out + "large-ping   ok       packets of 1500 bytes are answered\n", *words, "--no-iperf")
        self.assertEqual([line.split()[-1] for line in self.words("ping")[::2]],
                         ["2001:db8::2", "2001:db8::2", "2001:db8::2", "fe80::2%eth1", "192.0.2.2"])
        self.assertIn("-M do -s 1452 2001:db8::2", self.words("ping")[1])
        self.expect(10, "", "-4", "six", err="Error: six: Name or service not known\n")
        self.expect(10, "", "-6", "many", err="Error: many: Name or service not known\n")
        self.expect(10, "", "no.such.invalid", err="Error: no.such.invalid: Name or service not known\n")

    def test_addresses_that_are_no_peer(self):
        local = "route        failed   %s is an address of this machine itself\n  => Run nm-ib check with an address of the other machine\n"
        for peer in ("127.0.0.1", "::1", "192.0.2.1", "2001:db8::1"):
            self.expect(4, local % peer, peer)
        self.expect(4, local.replace("an address of this machine itself", "not the address of one machine") % "192.0.2.255", "192.0.2.255")
        self.expect(4, """\
route        failed   no route to 198.51.100.1: route: Network is unreachable
  => Give the IPoIB interface an address in the peer's IP subnet, or add a route to the peer. To see routes and interfaces: ip route get 198.51.100.1; nm-ib port
""", "198.51.100.1")

    def test_route_over_an_interface_that_is_no_port(self):
        shell("ip link add eth3 type veth peer name eth4 netns peer && ip address add 203.0.113.1/24 dev eth3 && ip link set eth3 up")
        self.addCleanup(shell, "ip link delete eth3")
        self.expect(4, """\
route        failed   the route to 203.0.113.2 uses eth3, which is not an interface of a port of an RDMA device
  => Use the peer's address on the InfiniBand network, or add a route. To see routes and interfaces: ip route get 203.0.113.2; nm-ib port
""", "203.0.113.2")

    def test_link_is_down_or_has_no_carrier(self):
        shell("ip -n peer link set eth2 down")
        self.expect(4, """\
route        ok       over eth1 (mlx5_3/1, MTU 1500)
carrier      failed   eth1 has no carrier
  => To see the cause and the remedy: nm-ib doctor eth1
""", "192.0.2.2")
        self.expect(4, ('route:ok:over eth1 (mlx5_3/1, MTU 1500):\n'
                    'carrier:failed:eth1 has no carrier:To see the cause and the remedy\\: nm-ib doctor eth1\n'), "192.0.2.2", before=("-t",))

    def test_neighbour_does_not_answer(self):
        self.expect(4, """\
route        ok       over eth1 (mlx5_3/1, MTU 1500)
carrier      ok       eth1 has a carrier
neighbour    failed   no machine on the network of eth1 answers for 192.0.2.7
  => On the other machine, check the address, and check the port with nm-ib doctor. Both ports need the same partition (P_Key), and one of them must be a full member
""", "192.0.2.7")
        shell("ip route add 198.51.100.0/24 via 192.0.2.2")
        self.expect(0, PING + """\
large-ping   ok       packets of 1500 bytes are answered
""", "198.51.100.1", "--no-iperf")
        shell("ip route change 198.51.100.0/24 via inet6 2001:db8::7 dev eth1")
        self.expect(4, """\
route        ok       over eth1 (mlx5_3/1, MTU 1500)
carrier      ok       eth1 has a carrier
neighbour    failed   no machine on the network of eth1 answers for 2001:db8::7
  => On the other machine, check the address, and check the port with nm-ib doctor. Both ports need the same partition (P_Key), and one of them must be a full member
""", "198.51.100.1", "--no-iperf")
        shell("ip route change 198.51.100.0/24 via 192.0.2.7")
        self.expect(4, """\
route        ok       over eth1 (mlx5_3/1, MTU 1500)
carrier      ok       eth1 has a carrier
neighbour    failed   no machine on the network of eth1 answers for 192.0.2.7
  => On the other machine, check the address, and check the port with nm-ib doctor. Both ports need the same partition (P_Key), and one of them must be a full member
""", "198.51.100.1")

    def test_ping(self):
        self.program("ping", answers(0.9))
        self.expect(4, START + """\
ping         failed   192.0.2.2 does not answer
  => On the other machine, check the firewall (ICMP), the route back and, with several interfaces, rp_filter
""", "192.0.2.2")
        self.program("ping", answers(0.9, 0.2, 0, 0.4))
        self.expect(1, START + """\
ping         warning  2/4 answered, 0.30 ms on average
  => Packets get lost. Errors of the link: perfquery -x, ibqueryerrors; of the interface: ip -s link
large-ping   ok       packets of 1500 bytes are answered
""", "192.0.2.2", "--no-iperf")
        self.program("ping", "", err="ping: socket: Operation not permitted", code=2)
        self.expect(0, START + """\
ping         skipped  ping failed: ping: socket: Operation not permitted
throughput   ok       40 Gbit/s, 63 % of 63 Gbit/s, which the PCI link of mlx5_3/1 carries
""", "192.0.2.2")
        os.unlink(f"{BIN}/ping")
        self.expect(0, START + """\
ping         skipped  ping is not installed, or not in PATH
  => Install the package iputils-ping (Debian), iputils (RHEL)
throughput   ok       40 Gbit/s, 63 % of 63 Gbit/s, which the PCI link of mlx5_3/1 carries
""", "192.0.2.2", env={"PATH": BIN})

    def test_large_ping(self):
        shell("ip link set eth1 mtu 9000; ip -n peer link set eth2 mtu 9000")
        none = answers(sent=3)
        self.program("ping", WELL, none, none, none, answers(0.2, sent=2))
        self.expect(4, """\
route        ok       over eth1 (mlx5_3/1, MTU 9000)
carrier      ok       eth1 has a carrier
neighbour    ok       the link-layer address of 192.0.2.2 is known
ping         ok       4/4 answered, 0.25 ms on average
large-ping   failed   packets of 9000 bytes are not answered, packets of 1500 bytes are
  => 192.0.2.2, the route to it or a device on the way has a smaller MTU than eth1. Use the same mode and MTU on both ends (nm-ib port). To see the MTU of the route: ip route get 192.0.2.2
""", "192.0.2.2", "--no-iperf")
        self.assertEqual([line.split()[-2] for line in self.words("ping")[1:]], ["8972", "4064", "2016", "1472"])
        self.assertEqual(self.words("ping")[2], "-n -c 2 -i 0.2 -W 1 -M do -s 4064 192.0.2.2")
        self.program("ping", WELL, none)
        self.expect(4, """\
route        ok       over eth1 (mlx5_3/1, MTU 9000)
carrier      ok       eth1 has a carrier
neighbour    ok       the link-layer address of 192.0.2.2 is known
ping         ok       4/4 answered, 0.25 ms on average
large-ping   failed   packets of 9000 bytes are not answered, packets of 84 bytes are
  => 192.0.2.2, the route to it or a device on the way has a smaller MTU than eth1. Use the same mode and MTU on both ends (nm-ib port). To see the MTU of the route: ip route get 192.0.2.2
""", "192.0.2.2", "--no-iperf")
        self.assertEqual([line.split()[-2] for line in self.words("ping")[1:]], ["8972", "4064", "2016", "1472", "1252"])
        shell("ip link set eth1 mtu 1500")
        self.program("ping", WELL, none)
        self.expect(4, PING + """\
large-ping   failed   packets of 1500 bytes are not answered, packets of 84 bytes are
  => 192.0.2.2, the route to it or a device on the way has a smaller MTU than eth1. Use the same mode and MTU on both ends (nm-ib port). To see the MTU of the route: ip route get 192.0.2.2
""", "192.0.2.2", "--no-iperf")
        self.assertEqual([line.split()[-2] for line in self.words("ping")[1:]], ["1472", "1252"])
        self.program("ping", WELL, "", err="ping: local error: message too long")
        self.expect(0, PING + """\
large-ping   skipped  ping failed: ping: local error: message too long
""", "192.0.2.2", "--no-iperf")

    def test_interface_above_a_port(self):
        """A veth's peer is its lower interface, as for a VLAN; a bond has a file."""
        shell("ip link add v7 type veth peer name eth7 && ip link set eth7 up && ip address add 203.0.113.1/24 dev v7 && ip link set v7 up && "
              "ip neighbour add 203.0.113.2 dev v7 lladdr 02:00:00:00:00:02")
        self.addCleanup(shell, "ip link delete v7")
        machine.write(f"{self.m.top}/{CARDS}/0000:82:00.0/infiniband/mlx5_3/ports/1/gid_attrs/ndevs/0", "eth7\n")
        self.expect(0, """\
route        ok       over v7 (mlx5_3/1, MTU 1500)
carrier      ok       v7 has a carrier
neighbour    ok       the link-layer address of 203.0.113.2 is known
ping         ok       4/4 answered, 0.25 ms on average
large-ping   ok       packets of 1500 bytes are answered
""", "203.0.113.2", "--no-iperf")
        self.m.files("class/net/eth1/bonding", {"active_slave": "v7"})
        self.expect(0, PING + """\
large-ping   ok       packets of 1500 bytes are answered
""", "192.0.2.2", "--no-iperf")
        self.m.files("class/net/eth1/bonding", {"active_slave": "nothere"})
        self.expect(4, """\
route        failed   the route to 192.0.2.2 uses eth1, which is not an interface of a port of an RDMA device
  => Use the peer's address on the InfiniBand network, or add a route. To see routes and interfaces: ip route get 192.0.2.2; nm-ib port
""", "192.0.2.2", "--no-iperf")

    def test_child_of_a_port(self):
        card = self.m.hca("mlx5_0", rate="40 Gb/sec (4X QDR)")
        self.m.port(card, guid=GUID, rate="40 Gb/sec (4X QDR)")
        self.m.interface(card, "ib0", GUID)
        self.m.interface(card, "ib0.8002", GUID, mode="connected", mtu=65520, p_key="0x8002", parent="ib0")
        shell("ip address add 203.0.113.1/24 dev ib0.8002 && ip neighbour add 203.0.113.2 dev ib0.8002 nud noarp")
        self.program("iperf3", json.dumps(IPERF))
        self.expect(0, """\
route        ok       over ib0.8002 (mlx5_0/1, connected, MTU 65520)
carrier      ok       ib0.8002 has a carrier
neighbour    ok       the link-layer address of 203.0.113.2 is known
ping         ok       4/4 answered, 0.25 ms on average
large-ping   ok       packets of 65520 bytes are answered
throughput   ok       40 Gbit/s, 125 % of 32 Gbit/s, the data rate of mlx5_0/1
""", "203.0.113.2")
        self.assertIn("-s 65492 ", self.words("ping")[1])

    def test_usage(self):
        for words in ((), ("a", "b"), ("a" * 254,), ("peer", "--time", "0"), ("peer", "--time", "3601"), ("peer", "--at-least", "101"),
                      ("peer", "--time", "x")):
            answer = self.answer(*words)
            self.assertEqual((answer.code, answer.out, answer.err != ""), (2, "", True), words)
        self.expect(2, "", "peer", "--time", "0", err="""\
Error: PEER is a name of at most 253 characters, --time takes 1 to 3600, --at-least takes 0 to 100.
""")
        self.expect(2, "", "a" * 253 + ".", err="""\
Error: PEER is a name of at most 253 characters, --time takes 1 to 3600, --at-least takes 0 to 100.
""")
        self.assertEqual(self.answer("a" * 253).code, 10)
        self.assertEqual(self.answer("127.0.0.1", "--time", "3600", "--at-least", "0").code, 4)
        self.assertEqual(self.answer("127.0.0.1", "--time", "1", "--at-least", "100").code, 4)


if __name__ == "__main__":
    unittest.main()
