#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""compare_ibstat.py: compares `nm-ib port --json` with ibstat, smpquery, sminfo, ibnetdiscover and perfquery, for every port.
Prints each difference.

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
    """Returns {"mlx4_0/1": {"State": "Active", ..., "card": values of the card}}."""
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


def through(port):
    """Returns the options by which a tool uses this port."""
    card, number = port.split("/")
    return "-C", card, "-P", number


def dotted(text):
    """Parses lines like "NeighborMTU:......2048" into {"NeighborMTU": "2048", ...}."""
    return dict(re.findall(r"^(\w+):\.*(.*)", text, re.MULTILINE))


def smpquery(port, what, *more):
    return run("smpquery", *through(port), "-D", what, "0", *more)


def subnet(port):
    """Returns {port GUID: (LID, LMC, "4xQDR")} for all HCA ports that ibnetdiscover finds."""
    found = re.findall(r'^\[\d+\]\((\w+)\)\s.*# lid (\d+) lmc (\d+) ".*" lid \d+ (\S+)',
                       run("ibnetdiscover", *through(port)), re.MULTILINE)
    return {int(guid, 16): (int(lid), int(lmc), rate) for guid, lid, lmc, rate in found}


def guid(text):
    """Parses 0002:c903:000a:0001 or 0x2c903000a0001; leading zeros are optional."""
    return int(text.replace(":", ""), 16)


def basics(port, card, stat):
    return {
        "state": (port["state"], {"Initializing": "Init"}.get(stat["State"], stat["State"])),
        "physical state": (port["physical_state"], stat["Physical state"]),
        "rate": (port["rate_mbps"] // 1000, int(stat["Rate"])),
        "link layer": (port["link_layer"].replace("RoCE", "Ethernet"), stat["Link layer"]),
        "type": (card["type"], stat["card"]["CA type"]),
        "firmware": (card["firmware"], stat["card"]["Firmware version"]),
        "revision": (card["revision"], stat["card"]["Hardware version"]),
        "node guid": (guid(card["node_guid"]), guid(stat["card"]["Node GUID"])),
        "system guid": (guid(card["system_guid"]), guid(stat["card"]["System image GUID"])),
    }


def addressed(port, stat):
    """Values that only an InfiniBand port has."""
    return {
        "lid": (port["lid"], int(stat["Base lid"])),
        "lmc": (port["lmc"], int(stat["LMC"])),
        "sm lid": (port["sm_lid"], int(stat["SM lid"])),
        "capabilities": (port["capabilities"], stat["Capability mask"]),
        "guid": (guid(port["guid"]), guid(stat["Port GUID"])),
    }


def managed(port, card):
    """Values that a subnet manager reads."""
    name, number = port["port"], str(port["number"])
    info, node = dotted(smpquery(name, "portinfo", number)), dotted(smpquery(name, "nodeinfo"))
    keys = re.findall(r"0x\w{4}", smpquery(name, "pkeys"))
    lid, lmc, rate = subnet(name)[guid(port["guid"])]
    return {
        "active mtu": (port["mtu_active"], int(info["NeighborMTU"])),
        "largest mtu": (port["mtu_max"], int(info["MtuCap"])),
        "state of PortInfo": (port["state"].replace("Init", "Initialize"), info["LinkState"]),
        "lid of PortInfo": (port["lid"], int(info["Lid"])),
        "sm lid of PortInfo": (port["sm_lid"], int(info["SMLid"])),
        "sm sl of PortInfo": (port["sm_sl"], int(info["SMSL"])),
        "capabilities of PortInfo": (int(port["capabilities"], 16), int(info["CapMask"], 16)),
        "node guid of NodeInfo": (guid(card["node_guid"]), guid(node["Guid"])),
        "port guid of NodeInfo": (guid(port["guid"]), guid(node["PortGuid"])),
        "system guid of NodeInfo": (guid(card["system_guid"]), guid(node["SystemGuid"])),
        "P_Keys": ([key["p_key"] for key in port["p_keys"]], [key for key in keys if key != "0x0000"]),
        "lid in the subnet": (port["lid"], lid),
        "lmc in the subnet": (port["lmc"], lmc),
        "rate in the subnet": (port["rate"].split(" ", 2)[2].replace("X ", "x"), rate),
    }


def active(port):
    """Values of queries by LID, which need a subnet manager."""
    name, number = port["port"], str(port["number"])
    where = re.search(r"sm lid (\d+) .*\bSMINFO_MASTER", run("sminfo", *through(name)))
    count = dotted(run("perfquery", *through(name), str(port["lid"]), number))
    return {
        "sm lid of sminfo": (port["sm_lid"], int(where[1]) if where else None),
        "port of perfquery": (number, count["PortSelect"]),
        "packets of perfquery": (True, int(count["PortXmitPkts"]) > 0),
    }


def main():
    ours = json.loads(run("nm-ib", "port", "--json"))
    cards = {card["name"]: card for card in ours["hcas"]}
    theirs, bad = ibstat(), 0
    if {port["port"] for port in ours["ports"]} != set(theirs):
        print("other ports:", sorted(theirs))
        bad += 1
    for port in ours["ports"]:
        card, stat = cards[port["hca"]], theirs[port["port"]]
        pairs = basics(port, card, stat)
        if port["link_layer"] == "InfiniBand":
            pairs |= addressed(port, stat)
            pairs |= managed(port, card) if port["state"] != "Down" else {} # smpquery of Debian 13 does not open a port that is down
            pairs |= active(port) if port["state"] == "Active" else {}
        for what, (our, their) in pairs.items():
            if our != their:
                print(f"{port['port']}: {what}: {our!r}, they say {their!r}")
                bad += 1
    sys.exit(bad > 0)


main()
