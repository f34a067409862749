# SPDX-License-Identifier: LGPL-2.1-or-later
"""Shared by all modules: errors, progress, the directories of this repository."""

import ctypes
import os
import signal
import subprocess
import sys
import time

LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RELEASES = ("bookworm", "trixie")


class LabError(Exception):
    """An error that the user can correct; shown as one line."""


def say(text):
    """Prints progress on standard error; standard output has only the output of the script."""
    print(f"lab: {text}", file=sys.stderr, flush=True)


class Step:
    """`with Step("what"):` prints the start of a step, and at its end the time it took."""

    def __init__(self, what):
        self.what = what

    def __enter__(self):
        self.start = time.monotonic()
        say(f"{self.what} ...")

    def __exit__(self, kind, value, trace):
        if kind is None:
            say(f"{self.what}: {time.monotonic() - self.start:.1f} s")


def die_with_parent():
    """In a child, before exec: requests SIGKILL when the parent ends, even by SIGKILL (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def run(command, text="", **options):
    """Runs a command of the build, with text as its input. If it fails, raises LabError with the end of its output."""
    try:
        done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              preexec_fn=die_with_parent, **options)
    except FileNotFoundError:
        raise LabError(f"{command[0]} is missing: install the packages that tests/lab/packages lists") from None
    output = done.stdout.decode(errors="replace")
    if done.returncode:
        tail = "\n".join(output.splitlines()[-40:])
        raise LabError(f"{' '.join(command[:4])} ... failed with status {done.returncode}:\n{tail}")
    return output
