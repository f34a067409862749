#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""ask.py NM-IB: --ask dialogues through a pseudo-terminal, with nmcli and with nm-ib, byte for byte."""
import os
import pty
import re
import select
import sys

import compare
import live
import sandbox

TYPE = ["type", "infiniband", "autoconnect", "no"]
NO = ["no"] * 3
# (words behind `--ask connection add`, answers)
DIALOGUES = (
    (TYPE, ["ib0", "yes", "", "x", "2044", "c", "", ""] + NO),
    (TYPE, ["ib0", "", "1:2", "", "auto", "bogus", "datagram", "0x10000", "0x8002", "ib0"] + NO),
    (TYPE, ["", "no", "yes", "10.0.0.1/33", "10.0.0.1/24", "10.0.0.2/24", "", "10.0.0.254", "no", "y", "auto", "yes", "", ""]),
    (TYPE + ["ifname", "ib0", "mtu", "2044", "transport-mode", "connected"], ["yes", "", "", ""] + NO),
    (TYPE + ["slave-type", "bond"], ["yes", "ib0", "bond0", "no", "7"]),
    (TYPE + ["p-key", "0x8002", "parent", "ib0", "ip4", "10.0.0.1/24", "con-name", "k"], ["", "no", "no", "no", "no"]),
    (TYPE + ["bogus", "x"], []),
    (TYPE, ["*", "nonsense", "no", "no", "no"]),
    (TYPE, [None]),  # end of input
    (TYPE, ["ib0", None]),
)


PROMPT = re.compile(rb"[:\]] $")


def talk(command, answers, term):
    """Everything on the terminal, and the exit code. An answer is typed once there is a question; without one left, the
    terminal is closed."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = term
        os.execv(command[0], command)
    said, left = b"", list(answers)
    while select.select([fd], [], [], 20)[0]:
        try:
            said += os.read(fd, 65536)
        except OSError:
            break
        if not PROMPT.search(said) or select.select([fd], [], [], 0.03)[0]:
            continue
        if not left:
            break
        answer = left.pop(0)
        os.write(fd, b"\x04" if answer is None else answer.encode() + b"\n")
    os.close(fd)
    return compare.UUID.sub("UUID", said.decode()), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), len(left)


def main():
    nmcli, nm_ib = sandbox.enter(), sys.argv[1]
    bad = count = 0
    with sandbox.bus(), sandbox.network_manager(nmcli):
        fixtures = live.Fixtures(nmcli)
        for words, answers in DIALOGUES:
            # where input ends, nmcli moves the cursor about on other terminals
            for term in ("dumb",) if None in answers else ("dumb", "xterm"):
                count += 1
                results = []
                for command in (nmcli, nm_ib):
                    fixtures.clean = False
                    fixtures.reset()
                    results.append((talk([command, "--ask", "connection", "add", *words], answers, term), live.stored()))
                if results[0] != results[1] or results[0][0][2]:
                    bad += 1
                    print(words, answers, term, *results, sep="\n  ")
    print(f"{count - bad} of {count} dialogues are the same")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
