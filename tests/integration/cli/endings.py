#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""endings.py NM-IB: a command that cannot read or write ends like nmcli; a signal ends a command that waits."""
import contextlib
import os
import signal
import subprocess
import sys
import time

import compare
import live
import sandbox

ADD = ("connection", "add", "type", "infiniband", "con-name", "x", "ifname", "ib7", "save", "no")
MODIFY = ("connection", "modify", "--temporary", "plain", "infiniband.mtu", "1800")
BAD = ("connection", "modify", "plain", "infiniband.mtu", "bogus")
OFFLINE_ADD = ("--offline", *ADD[:-2])
OFFLINE_MODIFY = ("--offline", "connection", "modify", "infiniband.mtu", "1800")
KEYFILE = "[connection]\nid=k\nuuid=c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001\ntype=infiniband\n"


def cut_pipe():
    """Returns the write end of a pipe without a reader."""
    out, into = os.pipe()
    os.close(out)
    return into


OUTPUTS = {"a pipe nobody reads": cut_pipe, "a full device": lambda: os.open("/dev/full", os.O_WRONLY)}
INPUTS = {"a directory": lambda: os.open("/", os.O_RDONLY)}


def answer(process, text=None):
    out, err = process.communicate(text, timeout=30)
    return process.returncode, *(compare.UUID.sub("UUID", t or "") for t in (out, err))


def start(command, words, sigint=signal.SIG_DFL, **streams):
    """`sigint`: what SIGINT does in the command at its start. This program may ignore SIGINT, and a command inherits that."""
    return subprocess.Popen([command, *words], text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, sigint),
                            **{**dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE), **streams})


def waits(process):
    """Returns True if the process sleeps for 0.3 s without using the processor."""
    def state():
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as f:
            return f.read().rpartition(")")[2].split()[0:13:11] # state, and processor time so far
    before = state()
    time.sleep(0.3)
    return before[0] == "S" and state() == before


def interrupted(command, words, number, sigint, daemon, fixtures):
    """Sends a signal to a command that waits for a stopped daemon or for standard input. Returns True if the command ends as
    expected, and the profile is saved completely or not at all. SIGINT ends nmcli also if it was ignored at the start."""
    fixtures.clean = False
    fixtures.reset()
    before = live.stored()
    daemon.send_signal(signal.SIGSTOP)
    try:
        process = start(command, words, sigint)
        sandbox.wait_for("a command that waits", lambda: waits(process))
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        process.kill()
    finally:
        daemon.send_signal(signal.SIGCONT)
    code, out, err = answer(process)
    subprocess.run([sandbox.NMCLI, "connection", "reload"], check=True) # returns after the daemon has handled all earlier calls
    changed = set(live.stored()) - set(before)
    whole = all("id=x\n" in text or "mtu=1800\n" in text for text in changed) and len(changed) < 2
    expected = (130, "", "Error: nmcli terminated by signal Interrupt (2)\n") if number == signal.SIGINT else (-number, "", "")
    return whole and (code, out, err) == expected or print(
        f"{number.name}, started with SIGINT {sigint.name}, {words}: {code} {out!r} {err!r}, saved: {changed}")


def redirected(command, words, stream, file):
    try:
        return answer(start(command, words, **{stream: file}), None if stream == "stdin" else KEYFILE)
    finally:
        os.close(file)


def cases():
    """Yields (name, function that runs a command and returns its answer)."""
    for stream, files in (("stdout", OUTPUTS), ("stderr", OUTPUTS), ("stdin", INPUTS)):
        for name, file in files.items():
            for words in (ADD, MODIFY, BAD, OFFLINE_ADD, OFFLINE_MODIFY):
                yield f"{stream} is {name}, {words}", lambda command, w=words, s=stream, f=file: redirected(command, w, s, f())


def main():
    nmcli, nm_ib = sandbox.enter(), sys.argv[1]
    bad = count = 0
    with sandbox.bus(), sandbox.network_manager(nmcli) as daemon:
        fixtures = live.Fixtures(nmcli)
        for what, run in cases():
            results = []
            for command in (nmcli, nm_ib):
                fixtures.clean = False
                fixtures.reset()
                results.append(run(command))
            count += 1
            if results[0] != results[1]:
                bad += 1
                print(what, *results, sep="\n  ")
        for number, sigint in ((signal.SIGINT, signal.SIG_DFL), (signal.SIGINT, signal.SIG_IGN), (signal.SIGTERM, signal.SIG_DFL)):
            for words in (ADD[:-2], MODIFY[:2] + MODIFY[3:], OFFLINE_MODIFY):
                count += 1
                if not interrupted(nm_ib, words, number, sigint, daemon, fixtures):
                    bad += 1
    print(f"{count - bad} of {count} end as they should")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
