# SPDX-License-Identifier: LGPL-2.1-or-later
"""The allowed differences from NetworkManager alone. Each predicate names its row in README's table 'What it corrects'.

explain() returns the row that explains a difference; None means that the difference is a fault."""

import re

from children import Children

MTU = re.compile(r"(\S+): MTU (\d+) was requested, (\d+) is")


def control(story):
    """Returns the story that NetworkManager alone plays.

    Row 'connected mode on an HCA with enhanced IPoIB': the mode becomes datagram, and the activation succeeds. So the product must
    handle a profile of connected mode like NetworkManager alone handles a profile of datagram mode."""
    if "enhanced=1" not in story[0].split():
        return story
    return [line if line.startswith("write-mode ") else line.replace("transport-mode connected", "transport-mode datagram") for line in story]


class Context:
    """The story up to a step: the fabric, and the messages of the product."""

    def __init__(self, story):
        self.fabric = dict(word.split("=", 1) for word in story[0].split()[1:])
        self.group_mtu = self.fabric.get("group_mtu", "2048")
        self.datagram = control(story) != story
        self.clamped, self.by_hand = {}, set()  # interface -> requested MTU, MTU in effect; interfaces whose MTU a command has set
        self.reapplied, self.words, self.applied = set(), [], {}
        self.children = Children()
        self.removed, self.absent = set(), set()  # children that a row lets the product remove: now, and at the start of the step
        self.mtus = {}  # interface -> MTU alone, MTU with the product

    def enter(self, words, alone, ours):
        self.words = words[words[0] == "no-wait" :]
        self.absent = set(self.removed)
        if self.words[:2] == ["knob", "group_mtu"]:
            self.group_mtu = self.words[2]
        for key in ours["attempts"]:
            self.reapplied.discard(key.partition(" ")[2])
            self.by_hand.discard(key.partition(" ")[2])
        if self.words[:3] == ["ip", "link", "set"] and self.words[4] == "mtu":
            self.by_hand.add(self.words[3])
        if self.words[0] in ("reapply", "device-modify"):
            self.reapplied.add(self.words[1])
        for line in ours["ours"]:
            if found := MTU.search(line):
                self.clamped[found[1]] = int(found[2]), int(found[3])
        self.removed |= self.children.enter(self.words, alone, ours)
        if ours["found"] and alone["found"]:
            self.applied = ours["found"]["applied"]
            self.removed.difference_update(ours["found"]["link"])
            self.mtus = {name: tuple(str(side["found"]["link"].get(name, {}).get("mtu")) for side in (alone, ours)) for name in ours["found"]["link"]}


def tso(key, alone, ours, context):
    """Row 'TSO on a ConnectX of revision a0': off on the port and on its children."""
    a0 = context.fabric.get("rev", "0xa0") == "0xa0" and context.fabric.get("lso", "1") == "1"
    return a0 and key[0] == "link" and key[2] == "tso" and alone is True and ours is False


def clamped_mtu(key, alone, ours, context):
    """Row 'MTU 4092 or 65520 in a profile': the highest possible MTU, as logged; a larger group raises it later. Never lower than alone."""
    if key[0] != "link" or key[2] != "mtu" or key[1] not in context.clamped or key[1] in context.by_hand or None in (alone, ours):
        return False
    asked, got = context.clamped[key[1]]
    return ours > alone and ours in (got, min(asked, int(context.group_mtu) - 4))


def corrected_profile(key, alone, ours, context):
    """Row 'a profile corrected to the MTU in effect': the reapplied MTU stays when a new group allows more."""
    if key[0] != "link" or key[2] != "mtu" or key[1] not in context.reapplied:
        return False
    if ours is None or alone is None:
        return False
    return ours == context.applied.get(key[1], {}).get("infiniband.mtu") and ours < alone == int(context.group_mtu) - 4


def ipv6_mtu(key, alone, ours, context):
    """The rows about the MTU, for IPv6: on both sides the IPv6 MTU is the MTU of the interface, which differs as a row says."""
    mtus = context.mtus.get(key[1], ())
    if key[0] != "sysctl" or key[2] != "ipv6.mtu" or mtus != (alone, ours):
        return False
    return any(row(("link", key[1], "mtu"), *map(int, mtus), context) for row in (clamped_mtu, corrected_profile))


def datagram(key, alone, ours, context):
    """Row 'connected mode on an HCA with enhanced IPoIB': only the mode of the applied connection differs (see control)."""
    return context.datagram and key[0] == "applied" and key[2] == "infiniband.transport-mode" and (alone, ours) == ("datagram", "connected")


def leftover(key, alone, ours, context):
    """The rows of story/children.py: the interface is absent until a profile makes it again."""
    if key[0] == "exit":
        return bool(context.absent.intersection(context.words))
    return bool(context.removed.intersection(key[1].split()))


PROMISES = (tso, clamped_mtu, corrected_profile, ipv6_mtu, datagram, leftover)


def explain(key, alone, ours, context):
    """Returns the row that explains the difference, or None."""
    return next((promise.__name__ for promise in PROMISES if promise(key, alone, ours, context)), None)
