#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""compare.py NM-IB [--full] [--seed N] [--each N] [--chance N]: nm-ib against the installed nmcli, offline."""
import argparse
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

import chance
import differences
import sandbox
import vectors

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PROCESS = re.compile(r"\(process:\d+\)(.*): [\d:.]+: ") # messages of GLib itself


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def run(command, vector, become=()):
    """`become` is a command that runs another one as another user."""
    done = subprocess.run([*become, command, *vector.args], input=vector.stdin or "", capture_output=True, check=False,
                          encoding="utf-8", errors="backslashreplace", timeout=60,
                          env={"PATH": os.environ["PATH"], "TERM": "dumb", **sandbox.locale()})
    return Answer(done.returncode, UUID.sub("UUID", done.stdout), PROCESS.sub(r"\1: ", UUID.sub("UUID", done.stderr)))


def same(reference, ours):
    return reference == ours._replace(err=differences.OWN_LINE.sub("", ours.err))


def verdict(vector, reference, ours):
    if same(reference, ours):
        return "same"
    return "intended" if differences.intended(vector, reference, ours) else "different"


class Counts(dict):
    """Counts the vectors for each verdict, and the wrong ones."""
    bad = 0

    def add(self, found):
        """Returns True if the verdict is wrong."""
        self[found] = self.get(found, 0) + 1
        self.bad += found == "different"
        return found == "different"

    def finish(self, least):
        """Ends the program: with failure if a verdict is wrong, or if fewer than `least` vectors are the same."""
        print(", ".join(f"{n} {found}" for found, n in sorted(self.items())) or "no vectors")
        if self.get("same", 0) < least:
            print(f"fewer than {least} are the same: vectors are missing")
            self.bad += 1
        sys.exit(self.bad != 0)


def show(vector, reference, ours):
    print("---", *map(repr, vector.args))
    for name in Answer._fields:
        a, b = getattr(reference, name), getattr(ours, name)
        if a != b:
            if name != "code": # from the first difference on
                at = len(os.path.commonprefix((a, b)))
                a, b = (text[max(0, at - 60):at + 200] for text in (a, b))
            print(f"  {name}: nmcli {a!r}\n  {'':{len(name)}}  nm-ib {b!r}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("command")
    options.add_argument("--full", action="store_true")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--chance", type=int, default=1000)
    options.add_argument("--each", type=int, default=1 if os.environ.get("NMIB_SLOWER", "1") == "1" else 3)
    options = options.parse_args()
    if not shutil.which(sandbox.NMCLI):
        sys.exit(77)
    nmcli = sandbox.NMCLI

    def keyfile_of(words):
        text = run(nmcli, vectors.add(*words)).out.replace("UUID", "c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0009")
        return text[text.index("[connection]"):] # without warnings

    def judge(vector):
        reference, ours = run(nmcli, vector), run(options.command, vector)
        return verdict(vector, reference, ours), vector, reference, ours

    counts = Counts()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        texts = [keyfile_of(vectors.profile_with(name)) for name in vectors.BEFORE if name != "connection.secondaries"]
        every = itertools.chain(vectors.offline(nmcli, keyfile_of, options.full, options.seed),
                                chance.lines(vectors.properties(nmcli), texts, options.seed, options.chance))
        for found, vector, reference, ours in pool.map(judge, itertools.islice(every, 0, None, options.each)):
            if counts.add(found):
                show(vector, reference, ours)
    counts.finish(least=1500 // options.each)


if __name__ == "__main__":
    main()
