# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shortens a story with a difference: removes steps as long as the same kind of difference remains."""

from comparison import compare


def kinds(differences):
    """Returns the kinds of differences, without the names of interfaces."""
    return {(d.key[0], d.key[2] if d.key[0] in ("link", "device", "applied") else "") for d in differences}


class Shrinker:
    """Plays shorter stories, up to a limit."""

    def __init__(self, stage, differences, tries):
        self.stage, self.wanted, self.tries, self.best = stage, kinds(differences), tries, None

    def still(self, story):
        """Returns True if this story has the same kinds of differences; then keeps the story up to the step that differs."""
        if self.tries <= 0:
            return False
        self.tries -= 1
        try:
            alone, ours = self.stage.both(story)
        except Exception as e:  # a failed guest shows nothing
            if type(e).__name__ != "PlayError":
                raise
            return False
        found, _ = compare(story, alone, ours)
        if not kinds(found) & self.wanted:
            return False
        self.best = story[: found[0].step + 2], found, ours
        return True


def shrink(stage, story, differences, ours, tries):
    """Returns the shortest story found, its differences, and the play of the product."""
    shrinker = Shrinker(stage, differences, tries)
    shrinker.best = story[: differences[0].step + 2], differences, ours
    size = max(1, (len(shrinker.best[0]) - 2) // 2)
    while True:
        at, shortened = len(shrinker.best[0]) - 1 - size, False
        while at >= 1:  # from the end; the last step is the step that differs
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
