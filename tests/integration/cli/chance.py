# SPDX-License-Identifier: LGPL-2.1-or-later
"""Random command lines, with valid values and with typing errors; the same for the same seed."""
import random

import vectors

SLIPS = tuple(" ,;:=/\\\t09a-+*!|&()'\"ä\n{}[]#%sx")
WORDS = {  # nmcli's short names, each with a valid value
    "ifname": "ib0", "con-name": "b", "mtu": "2044", "mac": vectors.MAC, "transport-mode": "connected", "p-key": "0x8002",
    "parent": "ib0", "autoconnect": "no", "master": "bond0", "ip4": "10.0.0.1/24", "gw4": "10.0.0.254", "ip6": "2001:db8::1/64",
    "gw6": "fe80::1", "method": "auto", "browser-only": "yes", "pac-url": "http://a/b", "save": "no"}


class Chance:
    def __init__(self, names, seed):
        self.rng = random.Random(seed)
        self.names = [name for name in names if vectors.worth_it(name, False)]
        self.meant = [value for values in vectors.MEANT.values() for value in values]

    def slip(self, text):
        """Returns the text with a typing error: characters added, missing, wrong or repeated."""
        rng, chars = self.rng, list(text)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            at = rng.randint(0, len(chars))
            how = rng.choice(("insert", "insert", "drop", "replace", "repeat"))
            if how == "insert":
                chars[at:at] = rng.choice(SLIPS)
            elif how == "repeat":
                chars[at:at] = chars[at:at + rng.randint(1, 6)]
            else:
                chars[at:at + 1] = rng.choice(SLIPS) if how == "replace" else ""
        return "".join(chars)

    def value(self, name):
        rng = self.rng
        meant = vectors.MEANT.get(name, vectors.ODD)
        make = rng.choice((lambda: rng.choice(meant), lambda: rng.choice(vectors.ODD), lambda: rng.choice(self.meant),
                           lambda: self.slip(rng.choice(meant)), lambda: self.slip(rng.choice(meant)),
                           lambda: self.slip(rng.choice(meant)) + rng.choice((",", " ", "")) + rng.choice(meant)))
        return make()

    def name(self):
        rng, name = self.rng, self.rng.choice(self.names)
        setting, prop = name.split(".", 1)
        sign = rng.choice(("", "", "", "+", "-"))
        return name, sign + rng.choice((name, name, name, name.upper(), self.slip(name),
                                        setting[:rng.randint(1, len(setting))] + "." + prop))

    def pairs(self):
        words = []
        for _ in range(self.rng.choice((1, 1, 2, 2, 3, 5))):
            if self.rng.random() < 0.2:
                word, value = self.rng.choice(list(WORDS.items()))
                words += [word, self.rng.choice((value, self.slip(value)))]
            else:
                name, said = self.name()
                words += [said, self.value(name)]
        return words


def lines(names, texts, seed, count):
    """Yields offline command lines; half of them change a profile in `texts`."""
    chance = Chance(names, seed)
    for n in range(count):
        if n % 2:
            yield vectors.Vector(("--offline", "connection", "modify", *chance.pairs()), chance.rng.choice(texts))
        else:
            yield vectors.add("type", "infiniband", "ifname", "ib0", *chance.pairs())


def on_daemon(names, profiles, seed, count):
    """Yields command lines that add or change profiles of the daemon."""
    chance, rng = Chance(names, seed), random.Random(seed)
    for _ in range(count):
        if rng.random() < 0.3:
            yield vectors.Vector(("connection", "add", "type", "infiniband", "autoconnect", "no", *chance.pairs()))
        else:
            yield vectors.Vector(("connection", "modify", *rng.choice(((), ("--temporary",))), rng.choice(profiles), *chance.pairs()))
