#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Medians, intervals and verdicts from the samples on standard input.

A sample is a line ROUND<TAB>NAME<TAB>MILLISECONDS (or a count, see --unit); other lines are passed through. Samples of one round
were taken side by side, so the bootstrap draws whole rounds. Effects that all samples of a round share (load, clock, one run of
a daemon) so do not make the intervals narrower.

A question is "A/B", "A-B" or "A", where A and B are names, optionally followed by a goal: "recipe/ours >= 8". A goal is
met or missed only if the whole interval is on one side of it; otherwise the verdict is "undecided"."""

import argparse
import json
import operator
import random
import re
import sys
from statistics import median

DRAWS = 2000
LEVEL = 0.95
FEWEST = 6  # rounds needed for an interval
SAMPLE = re.compile(r"(\d+)\t([\w.+]+)\t([\d.]+)")
QUESTION = re.compile(r"\s*([\w.+]+)\s*(?:([/-])\s*([\w.+]+)\s*)?(?:(<=|>=)\s*([\d.]+)\s*)?")
OPERATORS = {"/": operator.truediv, "-": operator.sub, "<=": operator.le, ">=": operator.ge}


def read(lines):
    """Returns the rounds, each a dictionary: name -> samples."""
    rounds = {}
    for line in lines:
        if m := SAMPLE.fullmatch(line.rstrip("\n")):
            rounds.setdefault(m[1], {}).setdefault(m[2], []).append(float(m[3]))
        else:
            print(line, end="", file=sys.stderr)
    return list(rounds.values())


def medians(rounds):
    pools = {}
    for r in rounds:
        for name, values in r.items():
            pools.setdefault(name, []).extend(values)
    return {name: median(values) for name, values in pools.items()}


def interval(values):
    values = sorted(values)
    tail = round((1 - LEVEL) / 2 * len(values))
    return values[tail], values[-1 - tail]


def parse(text, names):
    m = QUESTION.fullmatch(text)
    if not m or not {m[1], m[3] or m[1]} <= names:
        raise SystemExit(f"judge.py: '{text}': no question about {', '.join(sorted(names))}")
    return m.groups()


def value(question, m):
    a, op, b, _, _ = question
    return OPERATORS[op](m[a], m[b]) if op else m[a]


def verdict(question, rounds, low, high):
    *_, relation, goal = question
    if not relation:
        return None
    if rounds < FEWEST:
        return "undecided"
    sides = {OPERATORS[relation](edge, float(goal)) for edge in (low, high)}
    return "undecided" if len(sides) == 2 else "met" if True in sides else "missed"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--title", default="samples")
    p.add_argument("--json", metavar="FILE", help="append the figures there, one object per line")
    p.add_argument("--unit", default="ms", help="what was counted, if it was not milliseconds")
    p.add_argument("question", nargs="*")
    args = p.parse_args()

    rounds = read(sys.stdin)
    if not rounds:
        raise SystemExit("judge.py: no samples")
    measured = medians(rounds)
    questions = [parse(q, measured.keys()) for q in args.question]
    chance = random.Random(1)
    drawn = [medians(chance.choices(rounds, k=len(rounds))) for _ in range(DRAWS)]
    drawn = [d for d in drawn if d.keys() == measured.keys()]

    figures = {"title": args.title, "rounds": len(rounds), "ms": {}, "answers": []}
    print(f"\n{args.title} ({len(rounds)} rounds)\n  {'':36}{'median':>10}   {LEVEL:.0%} interval")

    def line(name, middle, edges, unit, remark=""):
        print(f"  {name:36}{middle:10.3f}   {edges[0]:.3f} .. {edges[1]:.3f}{unit}{remark}")

    for name, middle in sorted(measured.items()):
        edges = interval([d[name] for d in drawn])
        figures["ms"][name] = [middle, *edges]
        line(name, middle, edges, f" {args.unit}")
    for q in questions:
        a, op, b, relation, goal = q
        edges = interval([value(q, d) for d in drawn])
        middle = value(q, measured)
        said = verdict(q, len(rounds), *edges)
        name = f"{a} {op} {b}" if op else a
        unit = " times" if op == "/" else f" {args.unit}"
        line(name, middle, edges, unit, f"   goal {relation} {goal}: {said}" if said else "")
        figures["answers"].append({"question": name, "value": middle, "interval": edges, "goal": goal and f"{relation} {goal}",
                                   "verdict": said})
    if args.json:
        with open(args.json, "a", encoding="utf-8") as f:
            print(json.dumps(figures), file=f)


main()
