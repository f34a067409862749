#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""compare.py NM-IB [--full] [--seed N] [-v]: nm-ib against the installed nmcli, offline.

The reference runs from a copy, and nm-ib runs where no nmcli is installed, so that handing a task over shows."""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

import differences
import vectors

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NMCLI = "/usr/bin/nmcli"
HANDED_OVER = "Error: this is a task for nmcli, and it is not installed"
# nmcli's by design; everything else must be answered without it.
NOT_OURS = ("help", "--version", "ethernet", "show", "device", "team", "--ask-not")


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def run(command, vector):
    done = subprocess.run([command, *vector.args], input=vector.stdin or "", capture_output=True, check=False,
                          encoding="utf-8", errors="backslashreplace", timeout=60,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "dumb"})
    return Answer(done.returncode, UUID.sub("UUID", done.stdout), UUID.sub("UUID", done.stderr))


def same(reference, ours):
    return reference == ours._replace(err=differences.OWN_LINE.sub("", ours.err))


def show(vector, reference, ours):
    print("---", *map(repr, vector.args))
    for name in Answer._fields:
        a, b = getattr(reference, name), getattr(ours, name)
        if a != b:
            if name != "code": # from where they part
                at = len(os.path.commonprefix((a, b)))
                a, b = (text[max(0, at - 60):at + 200] for text in (a, b))
            print(f"  {name}: nmcli {a!r}\n  {'':{len(name)}}  nm-ib {b!r}")


def hide_nmcli():
    """A mount namespace of our own, in which nmcli is not executable."""
    if os.environ.get("NMIB_HIDDEN"):
        subprocess.run(["mount", "--bind", "/dev/null", NMCLI], check=True)
        return
    if not shutil.which(NMCLI):
        sys.exit(77)
    os.environ["NMIB_HIDDEN"] = shutil.copy(NMCLI, tempfile.mkdtemp())
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    os.execvp("unshare", ["unshare", "--mount", *user, sys.executable, *sys.argv])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("command")
    options.add_argument("--full", action="store_true")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("-v", "--verbose", action="store_true")
    options = options.parse_args()
    hide_nmcli()
    nmcli = os.environ["NMIB_HIDDEN"]

    def keyfile_of(words):
        return run(nmcli, vectors.add(*words)).out.replace("UUID", "c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0009")

    def judge(vector):
        reference, ours = run(nmcli, vector), run(options.command, vector)
        if ours.err.startswith(HANDED_OVER):
            left = not any(w.startswith(NOT_OURS) for w in vector.args)
            return ("left to nmcli" if left else "not ours"), vector, reference, ours
        if same(reference, ours):
            return "same", vector, reference, ours
        why = differences.intended(vector, reference)
        return ("intended" if why else "different"), vector, reference, ours

    counts = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for verdict, vector, reference, ours in pool.map(judge, vectors.offline(nmcli, keyfile_of, options.full,
                                                                                options.seed)):
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict == "different" or (verdict == "left to nmcli" and options.verbose):
                show(vector, reference, ours)
    shutil.rmtree(os.path.dirname(nmcli))
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    sys.exit(1 if counts.get("different") else 0)


if __name__ == "__main__":
    main()
