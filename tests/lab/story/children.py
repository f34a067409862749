# SPDX-License-Identifier: LGPL-2.1-or-later
"""P_Key children in a story: which of them the product may remove, by the rows of README's table 'What it corrects'."""

import re

REMOVED = re.compile(r"(\S+): P_Key child removed")
FULL = 0x8000  # bit 15 of a P_Key
ACTIVE = (1, 2)  # states of an active connection: activating, activated
ACTIVATED = 100  # of a device


class Children:
    """The P_Key children of the side of the product: by whom each was made, and what has happened to it since."""

    def __init__(self):
        self.by_hand, self.restarted, self.failed = set(), set(), set()  # names of interfaces
        self.there, self.limited = set(), set()  # names; P_Keys of profiles, with bit 15, that are written without it
        self.removed, self.tried = set(), set()  # since the last snapshot

    def enter(self, words, alone, ours):
        """Plays a step. Returns the children that the product has removed, and that a row lets it remove."""
        self.note(words, ours["exit"])
        self.tried |= {key.rpartition(" ")[2] for key in [*alone["attempts"], *ours["attempts"]]}
        if ours["restarted"] or alone["restarted"] or words[0] in ("restart", "stop-start"):
            self.restarted |= self.there
        self.removed |= {found[1] for line in ours["ours"] if (found := REMOVED.search(line))}
        if not ours["found"] or not alone["found"]:
            return set()
        for found in alone["found"], ours["found"]:
            self.failed |= {name for name in self.tried if found["device"].get(name, {}).get("state") != ACTIVATED}
        allowed = {name for name in self.removed if self.row(name, alone["found"])}
        # an activation that ends while it waits for the carrier fails without an attempt
        for found in alone["found"], ours["found"]:
            self.failed |= {name for words, a in found["active"].items() if a["state"] == 1 for name in words.split()[1:]}
        self.there = set(ours["found"]["link"])
        for names in self.by_hand, self.restarted, self.failed:
            names &= self.there
        self.removed, self.tried = set(), set()
        return allowed

    def note(self, words, code):
        if words[:2] == ["add", "infiniband"] and "p-key" in words:
            key = int(words[words.index("p-key") + 1], 0)
            self.limited |= {key | FULL} if key < FULL else set()
        elif words[0] == "create-child" and code == 0:
            self.by_hand.add(f"{words[1]}.{int(words[2], 0) | FULL:04x}")
        elif words[:3] == ["ip", "link", "add"] and code == 0:
            self.by_hand.add(words[words.index("name") + 1])

    def row(self, name, alone):
        """Returns the row that lets the product remove a child, or None. A child made by hand stays, and so does a child that is in use
        with NetworkManager alone."""
        used = [words for words, a in alone["active"].items() if a["state"] in ACTIVE and not a["external"] and name in words.split()[1:]]
        if name in self.by_hand or used:
            return None
        key = name.rpartition(".")[2]
        if re.fullmatch("[0-9a-f]{4}", key) and int(key, 16) | FULL in self.limited:
            return "a profile with P_Key 0x0002"
        if name in self.restarted:
            return "after a restart of the daemon"
        return "an activation that failed" if name in self.failed else None
