#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""merge.py NM-IB: nm-ib doctor --merge of made reports: whole outputs, and the exit codes."""
import json
import os
import sys
import unittest

import machine
import sandbox
from machine import Machine

sandbox.enter()
machine.isolate()
NM_IB = sys.argv.pop(1)
FILES = f"{sandbox.OWN}/reports"


def report(number, **port):
    """Returns the report of a host with one card; `port` replaces values of its port."""
    guid = f"00:02:c9:03:00:0a:0{number}:01"
    own = {"interface": "ib0", "parent": None, "p_key": "0xffff", "mode": "datagram", "mtu": 2044, "up": True, "carrier": True}
    hca = {"name": "mlx5_0", "board_id": "MT_0000000838", "firmware": "28.40.1000", "description": f"node{number} mlx5_0",
           "node_guid": guid[:-2] + "00", "system_guid": guid[:-2] + "03"}
    return {"schema": 1, "host": f"node{number}", "version": "0.1.0", "hcas": [hca],
            "ports": [{"port": "mlx5_0/1", "hca": "mlx5_0", "number": 1, "link_layer": "InfiniBand", "state": "Active",
                       "rate": "400 Gb/s 4X NDR", "rate_mbps": 400000, "guid": guid, "lid": number + 1, "sm_lid": 1, "mtu_active": 4096,
                       "p_keys": [{"index": 0, "p_key": "0xffff"}],
                       "gids": [{"index": 0, "gid": "fe80:0000:0000:0000:" + ":".join(guid.replace(":", "")[i:i + 4] for i in (0, 4, 8, 12)),
                                 "type": "IB/RoCE v1"}], "interfaces": [own], **port}]}


class Merge(machine.Case):
    command = ("doctor", "--merge")

    def setUp(self):
        self.m = Machine(NM_IB)
        os.makedirs(FILES, exist_ok=True)
        self.addCleanup(lambda: [os.unlink(f"{FILES}/{name}") for name in os.listdir(FILES)])

    def write(self, *reports):
        files = []
        for i, r in enumerate(reports):
            files.append(f"{FILES}/node{i}.json")
            machine.write(files[-1], r if isinstance(r, str) else json.dumps(r))
        return files

    def test_hosts_that_match(self):
        files = self.write(report(0), report(1))
        self.expect(0, "No problem found (hosts: 2, ports: 2).\n", *files)
        whole = json.loads(self.answer(*files, "--json").out)
        self.assertEqual([whole[key] for key in ("schema", "hosts", "ports", "ignored", "unread", "findings")], [1, 2, 2, 0, [], []])

    def test_expected_hosts(self):
        files, hosts = self.write(report(0), report(1)), f"{FILES}/hosts"
        machine.write(hosts, "node0 node1 # here\n\n#\nnode2\tnode0\r\n")
        self.expect(1, """\
warning  expected hosts without a report: node2 [host-missing]
         Their ports were not compared.
         => Look whether these hosts run, and repeat the collection
""", *files, "--hosts", hosts)
        machine.write(hosts, "node0\nnode1\n")
        self.expect(0, "No problem found (hosts: 2, ports: 2).\n", *files, "--hosts", hosts)
        for text in ("", "#\n", "node[0-3]\n", "a,b", "a=b"):
            machine.write(hosts, text)
            answer = self.answer(*files, "--hosts", hosts)
            self.assertEqual((answer.code, answer.out, answer.err.startswith("Error: --hosts: ")), (2, "", True), answer)
        self.expect(2, "", *files, "--hosts", hosts, err="""\
Error: --hosts: 'a=b': not the name of one host; the file needs one name on each line, for a list of Slurm: scontrol show hostnames LIST
""")
        machine.write(hosts, "# none\n")
        self.expect(2, "", *files, "--hosts", hosts, err="Error: --hosts: no host in the file\n")
        self.expect(2, "", *files, "--hosts", f"{FILES}/none", err="Error: /run/nm-ib-test/reports/none: No such file or directory\n")

    def test_hosts_that_differ(self):
        own = report(0)["ports"][0]["interfaces"][0]
        other = report(2, sm_lid=7, mtu_active=2048, interfaces=[{**own, "mtu": 1500}])
        other["hcas"][0]["firmware"] = "28.39.1000"
        files = self.write(report(0), report(1), other)
        self.expect(1, """\
warning  ports with the subnet prefix 0xfe80000000000000 have different subnet
         managers: SM LID 7: node2; 1: node[0-1] [sm-differs]
         Two independent subnet managers in one subnet overwrite each other's
         LIDs and P_Keys. If these are separate fabrics, no program can
         distinguish them, because they have one prefix.
         => On a host of each, run: sminfo; then stop one of two in one fabric,
            or give each fabric its own subnet_prefix in opensm.conf
warning  cards with the board id MT_0000000838 have different firmware:
         28.39.1000: node2; 28.40.1000: node[0-1] [firmware-differs]
         What works on one host may fail on another: modes, virtual functions,
         speeds of cables.
         => With the vendor's tool, on the hosts that differ: mstflint -d
            PCI_ADDRESS query; then burn the firmware that the others have
""", *files)
        self.assertIn("\033[33mwarning\033[0m  ports with the", self.answer(*files, before=("--colors", "yes")).out)
        self.expect(0, """\
Findings left out with --ignore or doctor.ignore: 2
No problem found (hosts: 3, ports: 3).
""", *files, "--ignore", "sm-differs", "mtu-differs:0xffff", "firmware-differs", "port-mtu-differs")
        whole = json.loads(self.answer(*files, "--json", "--ignore", "sm-differs").out)
        self.assertEqual((whole["ignored"], whole["findings"]), (1, [{
            "id": "firmware-differs", "severity": "warning", "where": "MT_0000000838",
            "seen": "cards with the board id MT_0000000838 have different firmware: 28.39.1000: node2; 28.40.1000: node[0-1]",
            "why": "What works on one host may fail on another: modes, virtual functions, speeds of cables.",
            "mend": "With the vendor's tool, on the hosts that differ: mstflint -d PCI_ADDRESS query; then burn the firmware that the others have",
            "mended_by": "hands", "commands": [], "hosts": ["node2"]}]))
        lone = self.write(report(0), report(1), report(2, interfaces=[{**own, "mtu": 1500}], mtu_active=2048))
        self.expect(1, """\
warning  ports of the subnet 0xfe80000000000000 (SM LID 1) have different
         InfiniBand MTUs: 2048: node2; 4096: node[0-1] [port-mtu-differs]
         A program that sets up queue pairs without a path query takes the MTU
         of its own port. The transfer hangs, or ends with a local length error.
         => Look at the larger ones: nm-ib port show PORT; the card or the
            switch at the other end allows no more, or is set to less
warning  partition 0xffff of the subnet 0xfe80000000000000 (SM LID 1): its
         members have different MTUs: 1500: node2; 2044: node[0-1] [mtu-differs]
         TCP adapts its packets. Larger packets of other protocols, above all
         multicast, are lost on the way to the member with the smallest MTU.
         => On the hosts that differ: nmcli connection modify PROFILE
            infiniband.mtu MTU; nmcli connection up PROFILE; to see the possible
            MTUs: nm-ib plan
""", *lone)
        same = self.write(report(0), report(0, lid=9))
        self.expect(0, "No problem found (hosts: 1, ports: 1).\n", *same)

    def test_findings_of_the_hosts(self):
        found = {"schema": 1, "host": "node3", "findings": [{"id": "port-polling", "severity": "error", "where": "mlx5_0/1", "seen": "x"},
                                                             {"id": "later", "severity": "odd", "seen": "y"}]}
        files = self.write(found)
        self.expect(4, """\
error    reported by the hosts: port-polling: node3 mlx5_0/1; the first report:
         x [host-finding]
         The reports of the hosts have this finding; nm-ib lists the finding
         once for all hosts.
         => On each host: nm-ib doctor
warning  reported by the hosts: later: node3; the first report: y [host-finding]
         The reports of the hosts have this finding; nm-ib lists the finding
         once for all hosts.
         => On each host: nm-ib doctor
""", *files, err="note: no file has the output of 'nm-ib port --json': nothing was compared\n")
        self.expect(4, """\
Findings left out with --ignore or doctor.ignore: 1
error    reported by the hosts: port-polling: node3 mlx5_0/1; the first report:
         x [host-finding]
         The reports of the hosts have this finding; nm-ib lists the finding
         once for all hosts.
         => On each host: nm-ib doctor
""", *self.write(found, report(3)), "--ignore", "host-finding:later")

    def test_files_that_are_no_reports(self):
        bad = self.write("", "[]", json.dumps({**report(0), "schema": 2}), json.dumps(report(1))[:200], report(1))
        self.expect(2, "", *bad, f"{FILES}/absent", err="""\
Error: /run/nm-ib-test/reports/node0.json: not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'
Error: /run/nm-ib-test/reports/node1.json: not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'
Error: /run/nm-ib-test/reports/node2.json: schema 2, but this nm-ib reads schema 1; use the same version of nm-ib on all hosts
Error: /run/nm-ib-test/reports/node3.json: not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'
Error: /run/nm-ib-test/reports/absent: No such file or directory
""")
        self.expect(2, "", *bad[:2], err="""\
Error: /run/nm-ib-test/reports/node0.json: not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'
Error: /run/nm-ib-test/reports/node1.json: not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'
""")
        self.expect(2, "", FILES, err="Error: /run/nm-ib-test/reports: Is a directory\n")
        answer = self.answer(*bad, "--json")
        whole = json.loads(answer.out)
        self.assertEqual((answer.code, whole["hosts"], [unread["file"] for unread in whole["unread"]]), (2, 1, bad[:4]))
        self.assertEqual(whole["unread"][0]["reason"], f"{bad[0]}: not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'")

    def test_standard_input(self):
        self.expect(0, "No problem found (hosts: 2, ports: 2).\n", "-", *self.write(report(1)), stdin=json.dumps(report(0)))
        self.expect(2, "", "-", stdin="{", err="Error: standard input: not the JSON of 'nm-ib port --json' or 'nm-ib doctor --json'\n")

    def test_size_of_a_file(self):
        text = json.dumps(report(0))
        self.expect(0, "No problem found (hosts: 1, ports: 1).\n", *self.write(text + " " * ((16 << 20) - len(text))))
        self.expect(2, "", *self.write(text + " " * ((16 << 20) + 1 - len(text))), err="Error: /run/nm-ib-test/reports/node0.json: larger than 16777216 bytes\n")

    def test_unknown_finding(self):
        self.expect(2, "", *self.write(report(0)), "--ignore", "nonsense", err="""\
Error: unknown finding 'nonsense'
For a list of the findings, see nm-ib-doctor(7).
""")


if __name__ == "__main__":
    unittest.main()
