# SPDX-License-Identifier: LGPL-2.1-or-later
"""What may differ from NetworkManager alone: each predicate names the row of README's table 'What it mends' that promises it.

explain() returns the row that explains a difference, or None: that difference is a fault."""

import re

IMPOSSIBLE = re.compile(r"(\S+): profile '([^']+)' asks for connected mode, which is not possible")
REMOVED = re.compile(r"(\S+): P_Key child removed")
MTU = re.compile(r"(\S+): MTU \d+ was asked for")


class Context:
    """The story up to a step: fabric, lines of the product, and the interfaces and profiles that are no longer comparable."""

    def __init__(self, story):
        self.fabric = dict(word.split("=", 1) for word in story[0].split()[1:])
        self.clamped, self.reapplied, self.words, self.applied, self.record = set(), set(), [], {}, None
        self.apart = {}  # an interface or a profile -> the row because of which it is no longer compared

    def enter(self, words, alone, ours):
        self.words, self.record = words, ours
        if words[0] == "no-wait":
            words = words[1:]
        if words[0] in ("reapply", "device-modify", "checkpoint"):
            self.reapplied.update(words[1:2] if words[0] != "checkpoint" else ["*"])
        for line in ours["ours"]:
            if found := MTU.search(line):
                self.clamped.add(found[1])
            if found := IMPOSSIBLE.search(line):
                self.apart.setdefault(found[1], "connected")
                self.apart.setdefault(found[2], "connected")
            if found := REMOVED.search(line):
                self.apart.setdefault(found[1], "leftover")
        for record in alone, ours:
            for key in record["attempts"]:  # a profile without an interface is tried on the next one
                profile, _, link = key.partition(" ")
                if profile in self.apart:
                    self.apart.setdefault(link, self.apart[profile])
            if record["found"]:
                self.spread(record["found"])
        if ours["found"]:
            self.applied = ours["found"]["applied"]

    def spread(self, found):
        """What depends on an interface that is not comparable is not comparable either."""
        for name, link in found["link"].items():
            for lower in [*link["lower"], name.rpartition(".")[0]]:
                if lower in self.apart:
                    self.apart.setdefault(name, self.apart[lower])
        for key in found["active"]:
            profile, _, link = key.partition(" ")
            if link in self.apart:
                self.apart.setdefault(profile, self.apart[link])

    def why_apart(self, key):
        kind, name, _ = key
        if kind == "exit":
            name = " ".join(self.words)
        elif kind == "profile":
            name = name.removesuffix(".nmconnection")
        return next((self.apart[word] for word in name.split() if word in self.apart), None)


def tso(key, alone, ours, context):
    """Row 'TSO on a ConnectX of revision a0': off on the port and on its children."""
    a0 = context.fabric.get("rev", "0xa0") == "0xa0" and context.fabric.get("lso", "1") == "1"
    return a0 and key[0] == "link" and key[2] == "tso" and alone is True and ours is False


def clamped_mtu(key, alone, ours, context):
    """Row 'MTU 4092 or 65520 asked': the highest possible MTU, and the journal says so. Never a lower one than alone."""
    return key[0] == "link" and key[2] == "mtu" and key[1] in context.clamped and alone is not None and ours is not None and ours > alone


def corrected_profile(key, alone, ours, context):
    """Row 'a profile corrected to the MTU that is in effect': what was applied by reapply holds when the subnet allows more."""
    if key[0] != "link" or key[2] != "mtu" or not context.reapplied & {key[1], "*"}:
        return False
    return ours is not None and alone is not None and ours < alone and ours == context.applied.get(key[1], {}).get("infiniband.mtu")


PROMISES = (tso, clamped_mtu, corrected_profile)
# Rows after which the two sides are in different states for good: the interface, its children, a bond on it and its profiles
# are not compared any more.
APART = {"connected": "connected mode that is not possible becomes datagram, and the activation succeeds", "leftover": "a P_Key child left behind is removed"}


def explain(key, alone, ours, context):
    """The name of the promise, or None."""
    for promise in PROMISES:
        if promise(key, alone, ours, context):
            return promise.__name__
    return context.why_apart(key)
