#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""merge.py NM-IB REPORT ROUNDS: measures nm-ib doctor --merge with the files of many hosts, made from REPORT.

Prints samples for judge.py."""

import copy
import json
import subprocess
import sys
import tempfile
import time

CARDS = 4


def host(report, number):
    """Returns the report of one host, with its own LIDs and GUIDs, and four rails in separate subnets."""
    told = copy.deepcopy(report)
    (hca,), (port,) = told["hcas"], told["ports"]
    told |= {"host": f"node{number}", "hcas": [], "ports": []}
    for card in range(CARDS):
        guid = 0x0002C90300000000 + (number * CARDS + card) * 16
        name = f"mlx5_{card}"
        told["hcas"].append(hca | {"name": name, "node_guid": f"0x{guid:016x}", "system_guid": f"0x{guid + 3:016x}",
                                   "description": f"node{number} {name}", "firmware": "16.35.2000" if number % 100 else "16.26.4012"})
        gid = f"fec0:0000:0000:000{card}:0002:c903:{guid >> 16 & 0xffff:04x}:{guid & 0xffff:04x}"
        own = port["interfaces"][0] | {"interface": f"ib{card}", "mtu": 2044 if number % 100 != 7 else 1500}
        child = own | {"interface": f"ib{card}.8002", "parent": f"ib{card}", "p_key": "0x8002"}
        told["ports"].append(port | {"port": f"{name}/1", "hca": name, "guid": f"0x{guid + 1:016x}", "lid": number + 1, "sm_lid": 1,
                                     "gids": [port["gids"][0] | {"gid": gid}], "interfaces": [own, child]})
    return told


def main():
    nm_ib, report, rounds = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8")), int(sys.argv[3])
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        files = []
        for number in range(10000):
            files.append(f"{directory}/node{number}.json")
            with open(files[-1], "w", encoding="utf-8") as f:
                json.dump(host(report, number), f, separators=(",", ":"))
        for r in range(rounds):
            for count in (1000, 10000):
                start = time.perf_counter()
                done = subprocess.run([nm_ib, "doctor", "--merge", *files[:count]], stdout=subprocess.PIPE, check=False)
                took = time.perf_counter() - start
                if done.returncode != 1 or not all(f"[{i}]".encode() in done.stdout for i in ("mtu-differs", "firmware-differs")):
                    sys.exit(f"merge.py: exit {done.returncode}: {done.stdout[:300]}")
                print(f"{r}\tmerge{count}\t{took * 1000:.1f}", flush=True)


main()
