#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""completion.py NM-IB DIRECTORY: asks bash and zsh what they would offer, without a daemon."""
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
import unittest

import live
import sandbox

NMCLI = sandbox.enter()
NM_IB, SCRIPTS = map(os.path.abspath, (sys.argv.pop(1), sys.argv.pop(1)))
BLANK, COMMAND = "InfiniBand connection 1", "$(id) `id` \"'' x"
os.environ["PATH"] = f"/run/bin:{os.environ['PATH']}"


def asked(*words):
    return subprocess.run([NM_IB, "--complete-args", *words], capture_output=True, text=True, check=False).stdout.split("\n")[:-1]


def bash(line):
    """Runs the completion function as bash does for this line."""
    script = f"""source "{SCRIPTS}/nm-ib"
        COMP_LINE=$1 COMP_POINT=${{#1}}
        _nm_ib nm-ib && ((${{#COMPREPLY[@]}})) && printf '%s\\n' "${{COMPREPLY[@]}}"; true"""
    return subprocess.run(["bash", "-c", script, "bash", line], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def typed(line):
    """The words of a command line typed into a real bash, tabulators and all."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    start = f"""PS1= TERM=dumb; bind 'set enable-bracketed-paste off'; source "{SCRIPTS}/nm-ib"
        nm-ib() {{ [[ $1 == --complete-args ]] && command nm-ib "$@" || printf '<%s>' "$@"; }}"""
    os.write(fd, f"{start}; stty -echo\n{line}\nexit\n".encode())
    said, end = b"", time.monotonic() + 10
    while not said.endswith(b">exit\r\n") and time.monotonic() < end:
        if select.select([fd], [], [], 0.1)[0]:
            said += os.read(fd, 65536)
    os.kill(pid, signal.SIGKILL)  # which may still wait for a quote
    os.waitpid(pid, 0)
    os.close(fd)
    return re.findall("<(.*?)>", said.decode().split("stty -echo")[-1])


def zsh(line):
    script = """compadd() { shift; print -rl -- "$@" }; _files() { print FILES }
        words=("${(@s: :)2}"); CURRENT=$#words; source "$1"/_nm-ib"""
    return subprocess.run(["zsh", "-fc", script, "zsh", SCRIPTS, line], capture_output=True, text=True, check=False).stdout.split("\n")[:-1]


class Completion(unittest.TestCase):
    def test_own_words(self):
        self.assertEqual(asked("pl"), ["plan"])
        self.assertEqual(asked("plan", "--"), ["--json"])
        self.assertEqual(asked("plan", "plain", ""), ["--json"])
        self.assertEqual(asked("plan", "plain", "--json", ""), [])
        self.assertEqual(asked("plan", "--json", "pl"), ["plain"])
        self.assertEqual(asked("connection", "add", "type", "infiniband", "transport-mode", "c"), ["connected"])
        self.assertEqual(asked("connection", "add", "type", "infiniband", "infiniband.m"),
                         ["infiniband.mac-address", "infiniband.mtu"])
        self.assertEqual(asked("c", "a", "type", "inf", "--w"), ["--with-parent"])
        self.assertEqual(asked("c", "a", "type", "inf", "p-key", ""), ["default"])  # and what the ports' tables have

    def test_profiles(self):
        self.assertEqual(asked("connection", "modify", "pl"), ["plain"])
        self.assertEqual(sorted(asked("plan", "twi")), ["twin", "twin"])
        self.assertIn("infiniband.p-key", asked("connection", "modify", "plain", "infiniband.p"))
        self.assertIn("+ipv4.dns", asked("connection", "modify", "plain", "+ipv4.d"))
        self.assertEqual(asked("connection", "modify", "wired", "infiniband.p"), [])

    def test_selectors(self):
        self.assertEqual(asked("connection", "modify", "u"), ["uuid"])
        self.assertEqual(asked("connection", "show", "full"), ["full"])

    def test_whoever_may_not_read_profiles_asks_nmcli(self):
        sandbox.show_nmcli()
        try:
            with sandbox.bus(), sandbox.network_manager(NMCLI):
                user = subprocess.run([*live.USER, NM_IB, "--complete-args", "connection", "modify", "pl"],
                                      capture_output=True, text=True, check=False).stdout
        finally:
            subprocess.run(["mount", "--bind", "/dev/null", sandbox.NMCLI], check=True)
        self.assertEqual(user, "plain\n")

    def test_quotes(self):
        for line, name in ((r"InfiniBand\ c", BLANK), ('"InfiniBand c', BLANK), ("'InfiniBand c", BLANK),
                           (r"\$\(", COMMAND), ('"$(', COMMAND), ("'$(", COMMAND)):
            self.assertEqual(typed(f"nm-ib connection modify {line}\t"), ["connection", "modify", name], line)
        self.assertEqual(typed('nm-ib connection modify "InfiniBand connection 1" infiniband.p-\t'),
                         ["connection", "modify", BLANK, "infiniband.p-key"])

    def test_speed(self):
        times = []
        for _ in range(21):
            start = time.perf_counter()
            asked("connection", "add", "type", "infiniband", "p-key", "")
            times.append(time.perf_counter() - start)
        self.assertLess(min(times), 0.010 * int(os.environ.get("NMIB_SLOWER", "1")))

    def test_shells(self):
        for shell in (bash, zsh):
            self.assertEqual(shell("nm-ib pl"), ["plan"], shell)
            self.assertEqual(shell("nm-ib connection modify plai"), ["plain"], shell)
            self.assertEqual(shell("nm-ib c a type infiniband infiniband.mt"), ["infiniband.mtu"], shell)
            self.assertEqual(shell("nm-ib bogus x"), [], shell)
        self.assertTrue(bash("nm-ib connection modify a:b")[0].startswith(("b", "$'b")))


if __name__ == "__main__":
    os.mkdir("/run/bin")
    os.symlink(NM_IB, "/run/bin/nm-ib")
    for name, text in live.FIXTURES.items():
        sandbox.write_profile(name, text)
    for number, name in enumerate((BLANK, COMMAND)):
        sandbox.write_profile(f"blank{number}", live.profile(80 + number, name))
    unittest.main()
