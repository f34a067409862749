#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""ask.py NM-IB: --ask runs nmcli with the words of the user, and is refused together with options of nm-ib."""
import os
import pty
import re
import select
import signal
import sys
import unittest

import compare
import live
import sandbox
from vectors import Vector

NMCLI, NM_IB = sandbox.enter(), sandbox.for_anybody(sys.argv.pop(1))
PROMPT = re.compile(rb"[:\]] $")
ADD = ("--ask", "connection", "add", "type", "infiniband", "autoconnect", "no")


def talk(command, answers=()):
    """Gives the answers at the prompts. Returns the output, the program at the first prompt with its words, and the exit code."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp(command[0], command)
    said, left, asked = b"", list(answers), None
    while select.select([fd], [], [], 20)[0]:
        try:
            said += os.read(fd, 65536)
        except OSError:
            break
        if not PROMPT.search(said) or select.select([fd], [], [], 0.03)[0]:
            continue
        if not asked:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8") as f:
                asked = os.readlink(f"/proc/{pid}/exe"), f.read().split("\0")[1:-1]
        if not left:
            os.kill(pid, signal.SIGKILL)
            continue
        os.write(fd, left.pop(0).encode() + b"\n")
    os.close(fd)
    return compare.UUID.sub("UUID", said.decode(errors="backslashreplace")), asked, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Ask(unittest.TestCase):
    def test_ask_runs_nmcli_with_the_same_words(self):
        for become in ((), live.USER):  # as a user, nmcli may have to reply to polkit's question for a password
            for words in (ADD, ("-a", "c", "a"), (*ADD, "ifname", "ib0", "p-key", "8002", "parent", "ib0"), ("connection", "-a", "add")):
                self.assertEqual(talk((*become, NM_IB, *words))[1], (NMCLI, list(words)))

    def test_answers_are_saved_as_by_nmcli(self):
        results = []
        for command in (NMCLI, NM_IB):
            live.Fixtures(NMCLI).reset()
            said, _, code = talk((command, *ADD), ["ib0", "yes", "", "2044", "", "0x8002", "ib0", "no", "no", "no"])
            results.append((said, code, live.stored()))
        self.assertEqual(*results)

    def test_without_a_terminal_ends_like_nmcli(self):
        for words in (ADD, ("connection", "add", "--ask", "type", "infiniband"), ("--ask", "connection", "modify", "plain", "mtu", "x"),
                      ("--ask", "connection", "add", "type", "ethernet", "ifname", "x")):
            live.Fixtures(NMCLI).reset()
            reference = compare.run(NMCLI, Vector(words))
            live.Fixtures(NMCLI).reset()
            self.assertEqual(compare.run(NM_IB, Vector(words)), reference)

    def test_ask_with_own_options_is_refused(self):
        before = live.stored()
        for words in ((*ADD, "--strict"), (*ADD, "parent", "ib0", "p-key", "0x8002", "--with-parent"), ("--strict", *ADD),
                      ("--ask", "connection", "modify", "plain", "mtu", "1500", "--strict")):
            answer = compare.run(NM_IB, Vector(words))
            self.assertEqual((answer.code, answer.out), (2, ""), answer)
            self.assertRegex(answer.err, r"\AError: .*--with-parent.*\n\Z")
        self.assertEqual(live.stored(), before)


if __name__ == "__main__":
    with sandbox.bus(), sandbox.network_manager(NMCLI):
        live.Fixtures(NMCLI).reset()
        unittest.main()
