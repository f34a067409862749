# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes a file with all its mutants; NMIB_MUTANT switches one on."""

import bisect
import re


def flat(sites):
    for site in sites:
        yield site
        yield from flat(site.inner)


def number(sites, base):
    """Gives each mutant a number from base + 1 on. Returns how many there are."""
    last = base
    for site in flat(sites):
        for arm in site.arms:
            last += 1
            arm.number = last
    return last - base


class Rewritten:
    """The text of a file with its mutants, after `head`. `places`: the parts of the text that belong to a mutant or to a site."""

    def __init__(self, text, sites, dropped, head=b""):
        self.text, self.dropped = text, dropped
        self.out, self.length, self.places = [], 0, []
        self.put(head)
        self.copy(0, len(text), sites)
        self.result = b"".join(self.out)

    def put(self, text):
        self.out.append(text)
        self.length += len(text)

    def copy(self, start, end, sites):
        for site in sites:
            self.put(self.text[start:site.start])
            self.site(site)
            start = site.end
        self.put(self.text[start:end])

    def choice(self, arms, form):
        for arm in arms:
            self.put(b"::mutation::is(%d) ? " % arm.number)
            start = self.length
            as_bool = form in ("bool", "variable")
            self.put((b"static_cast<bool>(" if as_bool else b"(") + arm.expression + b")")
            self.places.append((start, self.length, [arm.number]))
            self.put(b" : ")

    def site(self, site):
        arms = [a for a in site.arms if a.number not in self.dropped]
        begin = self.length
        if not arms:
            self.copy(site.start, site.end, site.inner)
            return
        if site.form == "variable":
            self.copy(site.start, site.end, site.inner)
            self.put(b"; ")
            begin = self.length
            self.choice(arms, site.form)
            self.put(b"static_cast<bool>(" + site.name + b")")
        else:
            self.put(b"(")
            self.choice(arms, site.form)
            self.put({"bool": b"static_cast<bool>(", "statement": b"(void)("}.get(site.form, b"("))
            self.copy(site.start, site.end, site.inner)
            self.put(b"))")
        self.places.append((begin, self.length, [a.number for a in arms]))

    def at(self, line, column):
        """The mutants of the smallest part of the text at this place; without one, those of the line."""
        lines = [m.end() for m in re.finditer(rb"\n", self.result)]
        first = lines[line - 2] if line > 1 else 0
        offset = first + column - 1
        around = [p for p in self.places if p[0] <= offset < p[1]]
        if around:
            return min(around, key=lambda p: p[1] - p[0])[2]
        last = lines[bisect.bisect_left(lines, first)] if first < len(self.result) else first
        return [n for p in self.places if p[0] < last and p[1] > first for n in p[2]]


def words_of(text, site, arm):
    """The lines of a site, before and after the change, each in one line."""
    start = text.rfind(b"\n", 0, site.start) + 1
    end = text.find(b"\n", site.end)
    change = b"" if site.form == "statement" else arm.expression
    if site.form == "variable":
        change = text[site.start:site.end] + b"; " + arm.expression
    elif re.match(rb"\s*(&&|\|\|)", text[site.end:]) and re.search(rb"&&|\|\|", change):
        change = b"(" + change + b")"
    before, after = text[start:end], text[start:site.start] + change + text[site.end:end]
    return [" ".join(re.sub(rb"\s//.*", b"", t).decode().split()) for t in (before, after)]
