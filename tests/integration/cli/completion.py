#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""completion.py NM-IB DIRECTORY: completion in bash and zsh, and of the words of nm-ib. words.py compares with nmcli."""
import contextlib
import os
import pathlib
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
    """Runs the completion function for this line, like bash."""
    script = f"""source "{SCRIPTS}/nm-ib"
        COMP_LINE=$1 COMP_POINT=${{#1}}
        _nm_ib nm-ib && ((${{#COMPREPLY[@]}})) && printf '%s\\n' "${{COMPREPLY[@]}}"; true"""
    return subprocess.run(["bash", "-c", script, "bash", line], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def typed(line):
    """Types a command line, with tabs, into a real bash. Returns its words."""
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
    os.kill(pid, signal.SIGKILL)  # bash may still wait for a quote
    os.waitpid(pid, 0)
    os.close(fd)
    return re.findall("<(.*?)>", said.decode().split("stty -echo")[-1])


def zsh(line):
    script = """compadd() { shift; print -rl -- "$@" }; _files() { print FILES }
        words=("${(@s: :)2}"); CURRENT=$#words; source "$1"/_nm-ib"""
    return subprocess.run(["zsh", "-fc", script, "zsh", SCRIPTS, line], capture_output=True, text=True, check=False).stdout.split("\n")[:-1]


@contextlib.contextmanager
def machine():
    """A machine with two ports: mlx4_0/1 has interface ib0, and a file of nm-ib calls mlx4_0/2 data_ib0."""
    files = {"/run/systemd/network/70-nm-infiniband-data_ib0.link":
             "# Written by nm-ib: a test\n[Match]\nType=infiniband\nProperty=ID_IPOIB_ADDRESS=*:00:02:c9:03:00:0a:00:02\n[Link]\nName=data_ib0\n"}
    for number, name in ((1, "ib0"), (2, "data_ib0")):
        port, net = f"/sys/class/infiniband/mlx4_0/ports/{number}", f"/sys/class/net/{name}"
        files |= {f"{port}/link_layer": "InfiniBand", f"{port}/gids/0": f"fe80:0000:0000:0000:0002:c903:000a:000{number}",
                  f"/sys/class/infiniband/mlx4_0/device/net/{name}/x": "", f"{net}/type": "32", f"{net}/dev_port": str(number - 1),
                  f"{net}/ifindex": str(700 + number),
                  f"{net}/address": f"80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:0{number}"}
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/sys"], check=True)
    try:
        for name, text in files.items():
            path = pathlib.Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        yield
    finally:
        subprocess.run("umount /sys && rm -r /run/systemd/network", shell=True, check=True)


class Completion(unittest.TestCase):
    def test_name_completes_verbs_options_and_interfaces(self):
        verbs = ["list", "set", "unset", "check", "propose", "import"]
        self.assertEqual(asked("na"), ["name"])
        self.assertEqual(asked("name", ""), verbs)
        self.assertEqual(asked("name", "--"), ["--json"])
        self.assertEqual(asked("name", "li", ""), ["--json"])
        self.assertEqual(asked("name", "bogus", ""), [])
        self.assertEqual(asked("name", "set", "ib0", "x", "--dry-run", "--m", "--"),
                         ["--match", "--rdma", "--now", "--force", "--no-initramfs", "--json"])
        self.assertEqual(asked("name", "set", "--match", ""), ["guid", "path"])
        self.assertEqual(asked("name", "unset", "x", "--f"), ["--force"])
        self.assertEqual(asked("name", "set", "m"), [])
        with machine():
            self.assertEqual(asked("name", "set", ""), ["data_ib0", "ib0", "mlx4_0/1", "mlx4_0/2"])
            self.assertEqual(asked("name", "set", "--match", "guid", "--now", "i"), ["ib0"])
            self.assertEqual(asked("name", "set", "ib0", ""), ["mlx4_ib0"])
            self.assertEqual(asked("name", "set", "--rdma", "i"), ["ib0"])
            self.assertEqual(asked("name", "set", "mlx4_0/2", ""), ["data_ib0"])
            self.assertEqual(asked("name", "set", "nothere", "m"), [])
            self.assertEqual(asked("name", "unset", ""), ["data_ib0", "mlx4_0/2"])
            self.assertEqual(bash("nm-ib name set mlx4_0/1 "), ["mlx4_ib0"])

    def test_profile_names_are_quoted(self):
        for line, name in ((r"InfiniBand\ c", BLANK), ('"InfiniBand c', BLANK), ("'InfiniBand c", BLANK),
                           (r"\$\(", COMMAND), ('"$(', COMMAND), ("'$(", COMMAND)):
            self.assertEqual(typed(f"nm-ib connection modify {line}\t"), ["connection", "modify", name], line)
        self.assertEqual(typed('nm-ib connection modify "InfiniBand connection 1" infiniband.p-\t'),
                         ["connection", "modify", BLANK, "infiniband.p-key"])

    def test_plan_completes_options_and_profiles(self):
        self.assertEqual(asked("plan", "--"), ["--json"])
        self.assertEqual(asked("plan", "plain", ""), ["--json"])
        self.assertEqual(asked("plan", "plain", "--json", ""), [])
        self.assertEqual(asked("plan", "--json", "pl"), ["plain"])

    def test_port_completes_verbs_and_options(self):
        self.assertEqual(asked("port", ""), ["list", "show"])
        self.assertEqual(asked("port", "show", ""), ["--json"])
        self.assertEqual(asked("port", "--json", ""), ["--metrics"])

    def test_doctor_completes_options(self):
        self.assertEqual(asked("doctor", ""), ["--fix", "--yes", "--expect", "--ignore", "--nagios", "--metrics", "--merge", "--hosts", "--json"])
        self.assertEqual(asked("doctor", "--json", ""), ["--fix", "--yes", "--expect", "--ignore", "--nagios", "--metrics", "--merge", "--hosts"])
        self.assertEqual(asked("doctor", "--merge", ""), []) # only files: test_bash_and_zsh_complete_the_same

    def test_check_completes_options(self):
        options = ["-4", "-6", "--no-iperf", "--time", "--at-least", "--json"]
        self.assertEqual(asked("ch"), ["check"])
        self.assertEqual(asked("check", ""), options)
        self.assertEqual(asked("check", "host", "--json", "--t"), ["--time"])
        self.assertEqual(asked("check", "host", "--time", ""), [])

    def test_bash_and_zsh_complete_the_same(self):
        for shell in (bash, zsh):
            self.assertEqual(shell("nm-ib pl"), ["plan"], shell)
            self.assertEqual(shell("nm-ib connection modify plai"), ["plain"], shell)
            self.assertEqual(shell("nm-ib c a type infiniband infiniband.mt"), ["infiniband.mtu"], shell)
            self.assertEqual(shell("nm-ib c a type infiniband ifname ib0 --w"), ["--with-parent"], shell)
            self.assertEqual(shell("nm-ib bogus x"), [], shell)
            self.assertEqual(shell("nm-ib doctor --merge --j"), ["--json"], shell)
        self.assertTrue(bash("nm-ib connection modify a:b")[0].startswith(("b", "$'b")))


if __name__ == "__main__":
    os.mkdir("/run/bin")
    os.symlink(NM_IB, "/run/bin/nm-ib")
    for name, text in live.FIXTURES.items():
        sandbox.write_profile(name, text)
    for number, name in enumerate((BLANK, COMMAND)):
        sandbox.write_profile(f"blank{number}", live.profile(80 + number, name))
    with sandbox.bus(), sandbox.network_manager(NMCLI):
        unittest.main()
