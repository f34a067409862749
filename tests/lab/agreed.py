#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""agreed.py: does `nm-ib port --json` say of every port what ibstat and smpquery say? Prints each difference.

Runs in the guest, as root."""
import json
import re
import subprocess
import sys


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def ibstat():
    """{"mlx4_0/1": {"State": "Active", ...}}, with the card's own values beside its ports'."""
    ports, card, name, values = {}, {}, "", {}
    for line in run("ibstat").splitlines():
        if match := re.match(r"CA '(.+)'", line):
            name, card = match[1], {}
            values = card
        elif match := re.match(r"\tPort (\d+):", line):
            values = ports[f"{name}/{match[1]}"] = {"card": card}
        else:
            key, _, value = line.strip().partition(": ")
            values[key] = value
    return ports


def smpquery(port, state):
    """PortInfo of a port. Nothing where the port is down: smpquery of Debian 13 opens no such port."""
    if state == "Down":
        return {}
    card, number = port.split("/")
    text = run("smpquery", "-C", card, "-P", number, "-D", "portinfo", "0", number)
    return dict(re.findall(r"^(\w+):\.*(\S+)", text, re.MULTILINE))


def main():
    ours = json.loads(run("nm-ib", "port", "--json"))
    cards = {card["name"]: card for card in ours["hcas"]}
    theirs, bad = ibstat(), 0
    if {port["port"] for port in ours["ports"]} != set(theirs):
        print("other ports:", sorted(theirs))
        bad += 1
    for port in ours["ports"]:
        stat, card = theirs[port["port"]], cards[port["hca"]]
        info = smpquery(port["port"], stat["State"])
        pairs = {
            "state": (port["state"], {"Initializing": "Init"}.get(stat["State"], stat["State"])),
            "physical state": (port["physical_state"], stat["Physical state"]),
            "rate": (port["rate_mbps"] // 1000, int(stat["Rate"])),
            "lid": (port["lid"], int(stat["Base lid"])),
            "lmc": (port["lmc"], int(stat["LMC"])),
            "sm lid": (port["sm_lid"], int(stat["SM lid"])),
            "capabilities": (port["capabilities"], stat["Capability mask"]),
            "guid": (port["guid"], stat["Port GUID"]),
            "link layer": (port["link_layer"], stat["Link layer"]),
            "type": (card["type"], stat["card"]["CA type"]),
            "firmware": (card["firmware"], stat["card"]["Firmware version"]),
            "revision": (card["revision"], stat["card"]["Hardware version"]),
            "node guid": (card["node_guid"], stat["card"]["Node GUID"]),
            "system guid": (card["system_guid"], stat["card"]["System image GUID"]),
        }
        if info:
            pairs["active mtu"] = port["mtu_active"], int(info["NeighborMTU"])
            pairs["largest mtu"] = port["mtu_maximum"], int(info["MtuCap"])
        for what, (our, their) in pairs.items():
            if our != their:
                print(f"{port['port']}: {what}: {our!r}, they say {their!r}")
                bad += 1
    sys.exit(bad > 0)


main()
