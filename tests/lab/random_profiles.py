#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""random_profiles.py SEED ROUNDS: compares `nm-ib plan` of random profiles with their activation, and plans again afterwards.

Runs in the guest, on all its InfiniBand interfaces. Prints each round with a difference."""
import json
import os
import random
import subprocess
import sys
import time

NET = "/sys/class/net"
KEYS = ("0x8001", "0x8002", "0x8003", "0x0003", "0x0004", "0x8004", "0x8099", "0xffff", "0x7fff")
MTUS = ("0", "1000", "1500", "2044", "2048", "4092", "9000", "65520")
NO_ADDRESSES = ("autoconnect", "no", "ipv4.method", "disabled", "ipv6.method", "disabled")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def read(link, name):
    try:
        with open(f"{NET}/{link}/{name}", encoding="ascii") as f:
            return f.read().strip()
    except OSError:
        return None


def links():
    """Returns name -> (mode, MTU) for each InfiniBand interface."""
    return {n: (read(n, "mode"), int(read(n, "mtu"))) for n in os.listdir(NET) if read(n, "type") == "32"}


def plan(name):
    """Returns the plan of a profile or interface; None if there is no plan."""
    done = run("nm-ib", "plan", name, "--json")
    return json.loads(done.stdout)["interfaces"][0] if done.returncode == 0 else None


def feature_is(change):
    shown = run("ethtool", "-k", change["interface"]).stdout
    return f"{change['feature']}: {'on' if change['to'] else 'off'}" in shown


def random_profile(r, ports):
    port, words = r.choice(ports), []
    mac = read(port if r.random() < 0.8 else r.choice(ports), "address")
    if r.random() < 0.75:
        key = r.choice(KEYS)
        words += ["p-key", key]
        if r.random() < 0.15:  # a child by hand with the same key, perhaps with the same name
            run("ip", "link", "add", "name", r.choice(("other0", f"{port}.{key[2:]}")), "link", port, "type", "ipoib", "pkey", key)
        named = r.random()
        words += ["parent", port] if named < 0.9 else []
        words += ["mac", mac] if named > 0.8 else []
    else:
        named = r.random()
        words += ["ifname", port if named < 0.8 else "*"]
        words += ["mac", mac] if named > 0.6 else []
    mode, mtu, tso = r.choice((None, "connected", "datagram")), r.choice((None,) + MTUS), r.choice((None, None, "on", "off"))
    words += ["transport-mode", mode] if mode else []
    words += ["mtu", mtu] if mtu else []
    words += ["ethtool.feature-tx-tcp-segmentation", tso] if tso else []
    return words, int(mtu or 0)


def disturb(r):
    """Changes mode and MTU of an interface by hand."""
    link = r.choice(sorted(links()))
    run("ip", "link", "set", link, "down")
    run("sh", "-c", f"echo {r.choice(('connected', 'datagram'))} >{NET}/{link}/mode")
    run("ip", "link", "set", link, "mtu", r.choice(("1500", "2044", "4092")), "up")
    time.sleep(0.3)


def contradictions(said, came_up, where, mtu, before, after):
    """Returns the differences between the plan and the activation."""
    if said is None:
        return ["nothing was said"] if came_up else []
    if bool(said["refusal"]) == came_up:
        return ["came up" if came_up else "did not come up"]
    if not came_up:
        return []
    if where != said["interface"]:
        return [f"came up on {where}"]
    wrong, own = [], {c["set"] for c in said["changes"] if c["interface"] == where}
    for c in said["changes"]:
        mode, now = after.get(c["interface"], (None, 0))
        if (c["set"] == "mode" and mode != c["to"]) or (c["set"] == "mtu" and now > c["to"]) or (c["set"] == "feature" and not feature_is(c)):
            wrong.append(f"{c} is not so: {mode}, {now}")
    misplaced = "profile-in-wrong-partition" in (f["id"] for f in said["findings"])  # then NetworkManager alone decides
    if not misplaced and where in before and "mode" not in own and before[where][0] != after[where][0]:
        wrong.append(f"the mode was changed to {after[where][0]}")
    # NetworkManager decides about a smaller MTU, and about one that is not requested, if the mode changes: it may restore
    # the MTU from before its first activation.
    decides = mtu >= 1280 or (mtu == 0 and "mode" not in own)
    if not misplaced and decides and where in before and "mtu" not in own and before[where][1] != after[where][1]:
        wrong.append(f"the MTU was changed from {before[where][1]} to {after[where][1]}")
    for name in (where, said["profile"]):
        left = plan(name)
        if not left or left["changes"] or (left["refusal"] and not misplaced):
            wrong.append(f"afterwards {name} is planned as {left}")
    return wrong


def one_round(r, name, ports):
    """Returns a line for each difference."""
    if r.random() < 0.3:
        disturb(r)
    words, mtu = random_profile(r, ports)
    if run("nmcli", "connection", "add", "type", "infiniband", "con-name", name, *NO_ADDRESSES, *words).returncode:
        return []
    before, said = links(), plan(name)
    up = run("nmcli", "-w", "30", "connection", "up", name)
    time.sleep(0.5)  # the helper runs after the activation
    where = run("nmcli", "-g", "GENERAL.DEVICES", "connection", "show", name).stdout.strip()
    wrong = contradictions(said, up.returncode == 0, where, mtu, before, links())
    if wrong:
        wrong = [f"{name}: {' '.join(words)}", f"  said: {said}", f"  up: {up.returncode} {up.stderr.strip()}"] + [f"  {w}" for w in wrong]
    if up.returncode:  # without the plugin, NetworkManager leaves the interface behind
        run("ip", "link", "delete", said["interface"] if said and said["interface"] not in ports else "none")
    if r.random() < 0.6:
        run("nmcli", "connection", "down", name)
    run("nmcli", "connection", "delete", name)
    return wrong


def main(seed, rounds):
    r = random.Random(seed)
    ports = sorted(links())
    wrong = [line for i in range(rounds) for line in one_round(r, f"p{i}", ports)]
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
