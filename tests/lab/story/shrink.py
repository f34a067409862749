# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shortens a story that differs, by leaving steps out as long as the same kind of difference remains."""

from comparison import compare


def kinds(differences):
    """What differs, whatever the interface is called."""
    return {(d.key[0], d.key[2] if d.key[0] in ("link", "device", "applied") else "") for d in differences}


class Shrinker:
    """Plays shorter stories, at most so many."""

    def __init__(self, stage, differences, tries):
        self.stage, self.wanted, self.tries, self.best = stage, kinds(differences), tries, None

    def still(self, story):
        """True if this story differs in the same way; it is kept then, cut after the step that does."""
        if self.tries <= 0:
            return False
        self.tries -= 1
        try:
            alone, ours = self.stage.both(story)
        except Exception as e:  # a guest that fails is no answer
            if type(e).__name__ != "PlayError":
                raise
            return False
        found, _ = compare(story, alone, ours)
        if not kinds(found) & self.wanted:
            return False
        self.best = story[: found[0].step + 2], found, ours
        return True


def shrink(stage, story, differences, ours, tries):
    """Returns the shortest story that was found, its differences, and the product's play of it."""
    shrinker = Shrinker(stage, differences, tries)
    shrinker.best = story[: differences[0].step + 2], differences, ours
    size = max(1, (len(shrinker.best[0]) - 2) // 2)
    while True:
        at, shortened = len(shrinker.best[0]) - 1 - size, False
        while at >= 1:  # from the end: the last step is the one that differs
            story = shrinker.best[0]
            if at + size < len(story) and shrinker.still(story[:at] + story[at + size :]):
                shortened = True
            at -= size
        if size == 1 and not shortened or shrinker.tries <= 0:
            break
        size = max(1, size // 2)
    story = shrinker.best[0]
    for plainer in (["fabric qpn_base=0x48"] + story[1:], [line.removeprefix("no-wait ") for line in story]):
        if plainer != story:
            shrinker.still(plainer)
            story = shrinker.best[0]
    return shrinker.best
