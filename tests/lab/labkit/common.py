# SPDX-License-Identifier: LGPL-2.1-or-later
"""What every part of the lab needs: errors, progress, the tree's own directories."""

import ctypes
import os
import signal
import subprocess
import sys
import time

LAB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RELEASES = ("bookworm", "trixie")


class LabError(Exception):
    """Something a user can act on; shown as one line."""


def say(text):
    """Progress of a long step: standard error, so that standard output stays the script's."""
    print(f"lab: {text}", file=sys.stderr, flush=True)


class Step:
    """`with Step("what"):` says what begins, and afterwards how long it took."""

    def __init__(self, what):
        self.what = what

    def __enter__(self):
        self.start = time.monotonic()
        say(f"{self.what} ...")

    def __exit__(self, kind, value, trace):
        if kind is None:
            say(f"{self.what}: {time.monotonic() - self.start:.1f} s")


def die_with_parent():
    """In a child, before exec: be killed with us, even if we are killed the hard way (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def run(command, text="", **options):
    """Run a command of the build to its end, with text as its input; LabError with the end of its output if it fails."""
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
