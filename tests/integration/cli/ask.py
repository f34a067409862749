#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""ask.py NM-IB: --ask dialogues through a pseudo-terminal, with nmcli and with nm-ib, byte for byte."""
import glob
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import termios

import compare
import live
import sandbox
from vectors import Vector

TYPE = ["type", "infiniband", "autoconnect", "no"]
NO = ["no"] * 3
# (words behind `--ask connection add`, answers)
DIALOGUES = (
    ([], ["", "INFIN", "ib0", "yes", "", "2044", "", "0x8002", "ib0"] + NO),
    (["ifname", "ib0", "autoconnect", "no", "connection.zone", "x"], ["infiniband", "no"] + NO),
    (["con-name", "k", "save", "no"], ["infiniband", "*", "no"] + NO),
    ([], [None]),
    ([], ["infiniband", None]),
    (TYPE, ["ib0", "yes", "", "x", "2044", "c", "", ""] + NO),
    (TYPE, ["ib0", "", "1:2", "", "auto", "bogus", "datagram", "0x10000", "0x8002", "ib0"] + NO),
    (TYPE, ["", "no", "yes", "10.0.0.1/33", "10.0.0.1/24", "10.0.0.2/24", "", "10.0.0.254", "no", "y", "auto", "yes", "", ""]),
    (TYPE + ["ifname", "ib0", "mtu", "2044", "transport-mode", "connected"], ["yes", "", "", ""] + NO),
    (TYPE + ["slave-type", "bond"], ["yes", "ib0", "bond0", "no", "7"]),
    (TYPE + ["slave-type", "bond", "master", "b0"], ["yes", "ib0", "", "no", "7"]),
    (TYPE + ["master", "bond0"], ["yes", "ib0", "b1", "no", "7"]),
    (TYPE + ["p-key", "0x8002", "parent", "ib0", "ip4", "10.0.0.1/24", "con-name", "k"], ["", "no", "no", "no", "no"]),
    (TYPE + ["master", "b0"], ["ib0", "no"]),
    (TYPE + ["bogus", "x"], []),
    (TYPE + ["controller", "b0"], []),  # a mistake to 1.42
    (TYPE, ["*", "nonsense", "no", "no", "no"]),
    (TYPE, [None]),  # end of input
    (TYPE, ["ib0", None]),
    (TYPE, ["ib0\x03", "ib1", "no"] + NO),  # ^C: not this line
    (TYPE, ["ib0", "yes", "", "77\x03", "\x03"]),  # ^C: not at all
    ([], ["\x03"]),
    ([], ["infini\x03", "infiniband", "\x03"]),
    ([], [signal.SIGTERM]),
    (TYPE, ["ib0", signal.SIGTERM]),
    (TYPE, ["ib0", "no", "no", "\x1b[A", "\x1b[A\x1b[A\x1b[A"]),  # what was answered before, by the key Up
)
# Answers that make it a task for nmcli, which goes on where nm-ib was.
LEFT = (
    ([], ["x", "i", "", "infiniband-x", "ethernet", "eth0", "no"] + NO),
    (["ifname", "eth0", "autoconnect", "no"], ["bogus", "Ethernet", "no"] + NO),
    (["mtu", "7"], []),
    (["slave-type", "bond"], ["infiniband", "bond0", "no", "ib0", "no", "7"]),
    ([], ["bridge-slave", "br0", "eth1"] + ["no"]),
    ([], ["x", "ib", "inf", "ib0", "no"] + NO),
)


FIRST = re.compile(r"^.*Connection type: bridge-slave\r\n(\x1b\S*\r)?")
TWICE = re.compile(r"\^C(\x1b\[\?2004l\r\x1b\[\?2004h)?\^C")  # nmcli's, one in twenty times
RENAMED = re.compile(r"nm-ib: warning: interface-name ib0 does not fit P_Key 0x8002: NetworkManager makes it ib0.8002\r\n")
PROMPT = re.compile(rb"[:\]] $")


def talk(command, answers, term):
    """Everything on the terminal, the exit code, answers left, and does the terminal echo in the end? An answer is typed once
    there is a question; a number is a signal. Without an answer left, the terminal is closed."""
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
            if answers and answers[-1] is None: # it repeats its question on the end of input, and goes: that may take a moment
                continue
            break
        answer = left.pop(0)
        if isinstance(answer, int):
            os.kill(pid, answer)
            continue
        if answer and answer.endswith("\x03"):
            answer = answer[:-1].encode()
            os.write(fd, answer)
            while answer not in said.rpartition(b"\n")[2]: # ^C takes with it what was not read
                said += os.read(fd, 65536)
            answer = b"\x03"
        else:
            answer = b"\x04" if answer is None else answer.encode() + b"\n"
        os.write(fd, answer)
    echoes = bool(termios.tcgetattr(fd)[3] & termios.ECHO)
    os.close(fd)
    said = TWICE.sub("^C", said.decode(errors="backslashreplace"))
    return compare.UUID.sub("UUID", said), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), len(left), echoes


def who_asks(nm_ib, become=(), words=()):
    """The program behind a question."""
    pid, fd = pty.fork()
    if pid == 0:
        command = (*become, nm_ib, "--ask", "connection", "add", "type", "infiniband", *words)
        os.execvp(command[0], command)
    said = b""
    while not PROMPT.search(said):
        said += os.read(fd, 65536)
    exe = os.readlink(f"/proc/{pid}/exe")
    os.close(fd)
    os.waitpid(pid, 0)
    return exe


def main():
    nmcli, nm_ib = sandbox.enter(), sys.argv[1]
    bad = count = 0
    newer = sandbox.minor(nmcli) > 42  # and asks a port less
    with sandbox.bus(), sandbox.network_manager(nmcli):
        fixtures = live.Fixtures(nmcli)
        for words, answers in DIALOGUES + LEFT:
            if (words, answers) == LEFT[0]:
                sandbox.show_nmcli()
            ways = [("dumb", ()), ("xterm", ())]
            if newer and (words, answers) in DIALOGUES: # where 1.42 does not wait for an answer
                ways += [("xterm", ("--offline",))]
            for term, options in ways:
                count += 1
                results = []
                for command in (nmcli, nm_ib):
                    fixtures.clean = False
                    fixtures.reset()
                    again = answers[:1] if command == nm_ib and answers[:1] == ["bridge-slave"] else []
                    told = talk([command, *options, "--ask", "connection", "add", *words], again + answers, term)
                    results.append((told, live.stored()))
                if newer: # which does not refuse that name, and says nothing
                    told, stored = results[1]
                    results[1] = ((RENAMED.sub("", told[0]), *told[1:]), stored)
                if again: # nmcli asks for the type of a port itself
                    told, stored = results[1]
                    results[1] = ((told[0].replace(FIRST.search(told[0])[0], "", 1), *told[1:]), stored)
                if results[0] != results[1] or (results[0][0][2] and not newer):
                    bad += 1
                    print(words, answers, term, options, *(r[0] for r in results), sep="\n  ")
                    print("  stored differs:", *(set(a[1]) - set(b[1]) for a, b in (results, reversed(results))))
        # nmcli can answer for polkit, which may want a user's password
        nm_ib = shutil.copy(nm_ib, sandbox.OWN)
        own = ("parent", "ib0", "p-key", "0x8002", "--with-parent")
        if (who_asks(nm_ib), who_asks(nm_ib, live.USER), who_asks(nm_ib, live.USER, own)) != (nm_ib, sandbox.NMCLI, nm_ib):
            bad += 1
            print("root is not asked by nm-ib, or a user is not asked by nmcli, or not by nm-ib for what is its own")
        # without readline, which nmcli cannot do without
        libraries = glob.glob("/usr/lib/*/libreadline.so.?")
        for library in libraries:
            subprocess.run(["mount", "--bind", "/dev/null", library], check=True)
        plain = [talk([nm_ib, "--ask", "connection", "add", *TYPE], answers, "xterm")
                 for answers in (["ib0"] + ["no"] + NO, ["\x03"], ["ib0", None], [signal.SIGTERM])]
        subprocess.run(["umount", *libraries], check=True)
        if [p[1:] for p in plain] != [(code, 0, True) for code in (0, 1, 1, 1)] or "\x1b" in plain[0][0]:
            bad += 1
            print("without readline:", *plain, sep="\n  ")
    # without a bus nobody can be polkit's agent: that is said once, also where nmcli goes on
    other = Vector(("--offline", "--ask", "connection", "add", "type", "ethernet", "ifname", "x"))
    if compare.run(nmcli, other) != compare.run(nm_ib, other):
        bad += 1
        print(*(compare.run(command, other) for command in (nmcli, nm_ib)), sep="\n")
    print(f"{count - bad} of {count} dialogues are the same")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
