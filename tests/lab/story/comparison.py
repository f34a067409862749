# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compares two plays of a story step by step: NetworkManager alone, and with the product.

A play is a list of records as player.py prints them. A difference is (step, key, alone, with us); a key is (kind, name, field)."""

import dataclasses
import shlex

import promises

COUNTS = ("taken-down", "attempts")  # only a larger count than alone is a difference


@dataclasses.dataclass
class Difference:
    """A value that differs after a step."""

    step: int
    key: tuple
    alone: object
    ours: object

    def __str__(self):
        return f"{' '.join(k for k in self.key if k)}: {self.alone} alone, {self.ours} with the product"


def flatten(record):
    """Returns a record as key -> value."""
    flat = {("exit", "", ""): record["exit"], ("crashes", "", ""): record["crashes"], ("restarted", "", ""): record["restarted"]}
    flat |= {("attempts", name, ""): count for name, count in record["attempts"].items()}
    for kind, names in (record["found"] or {}).items():
        for name, fields in names.items():
            flat[kind, name, "exists"] = True
            for field, value in fields.items():
                flat[kind, name, field] = sorted(value, key=str) if isinstance(value, list) else value
    return flat


def missing(key):
    return 0 if key[0] in COUNTS or key[2] in COUNTS else None


def differs(key, alone, ours):
    """Returns True if the value with the product is wrong."""
    if key[0] in COUNTS or key[2] in COUNTS:
        return (ours or 0) > (alone or 0)
    return alone != ours


def raw_differences(alone, ours):
    """Returns all differences between the records of one step."""
    if alone["found"] is None or ours["found"] is None:  # a step without a wait for rest has no values
        alone, ours = alone | {"found": None}, ours | {"found": None}
    a, o = flatten(alone), flatten(ours)
    keys = sorted(set(a) | set(o), key=str)
    return [(k, a.get(k, missing(k)), o.get(k, missing(k))) for k in keys if differs(k, a.get(k, missing(k)), o.get(k, missing(k)))]


def gathered(records):
    """Adds the attempts of steps without a wait for rest to the next step with one, since NetworkManager may retry at any time."""
    out, attempts = [], {}
    for record in records:
        for key, count in record["attempts"].items():
            attempts[key] = attempts.get(key, 0) + count
        out.append(record | {"attempts": attempts if record["found"] else {}})
        attempts = {} if record["found"] else attempts
    return out


def compare(story, alone, ours):
    """Returns the unexplained differences of the first step that has some, and how often each promise explained one."""
    used, context, alone, ours = {}, promises.Context(story), gathered(alone), gathered(ours)
    if len(alone) != len(ours):
        return [Difference(min(len(alone), len(ours)), ("play", "", ""), f"{len(alone)} steps", f"{len(ours)} steps")], used
    for number, (a, o) in enumerate(zip(alone, ours)):
        context.enter(shlex.split(story[number + 1]), a, o)
        left = []
        for key, before, now in raw_differences(a, o):
            row = promises.explain(key, before, now, context)
            if row:
                used[row] = used.get(row, 0) + 1
            else:
                left.append(Difference(number, key, before, now))
        if left:
            return left, used
    return [], used


def confirm(story, alones, ours):
    """Returns the differences that exist between all plays of one side and all plays of the other."""
    common = None
    for a in alones:
        for o in ours:
            found, _ = compare(story, a, o)
            keys = {(d.step, d.key): d for d in found}
            common = keys if common is None else {k: d for k, d in common.items() if k in keys}
    return list((common or {}).values())
