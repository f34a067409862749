#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""endings.py NM-IB: how a command ends that gets a signal where it waits, or that cannot read or write; as nmcli does."""
import os
import signal
import subprocess
import sys
import time

import compare
import live
import sandbox

SHOW = ("connection", "show", "plain")
ADD = ("connection", "add", "type", "infiniband", "con-name", "x", "ifname", "ib7", "save", "no")
MODIFY = ("connection", "modify", "--temporary", "plain", "infiniband.mtu", "1800")
BAD = ("connection", "modify", "plain", "infiniband.mtu", "bogus")
OFFLINE_ADD = ("--offline", *ADD[:-2])
OFFLINE_MODIFY = ("--offline", "connection", "modify", "infiniband.mtu", "1800")
KEYFILE = "[connection]\nid=k\nuuid=c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001\ntype=infiniband\n"


def cut_pipe():
    """The end to write to of a pipe nobody reads from."""
    out, into = os.pipe()
    os.close(out)
    return into


OUTPUTS = {"a pipe nobody reads": cut_pipe, "a full device": lambda: os.open("/dev/full", os.O_WRONLY)}
INPUTS = {"a directory": lambda: os.open("/", os.O_RDONLY)}


def answer(process, text=None):
    out, err = process.communicate(text, timeout=30)
    return process.returncode, *(compare.UUID.sub("UUID", t or "") for t in (out, err))


def start(command, words, **streams):
    return subprocess.Popen([command, *words], text=True, **{**dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE), **streams})


def waits(process):
    """Asleep in poll, twice in a row."""
    def polls():
        with open(f"/proc/{process.pid}/wchan", encoding="utf-8") as f:
            return "poll" in f.read()
    return polls() and not time.sleep(0.1) and polls()


def signalled(command, words, number, daemon):
    """The daemon does not answer, or nobody types the keyfile."""
    daemon.send_signal(signal.SIGSTOP)
    process = start(command, words)
    sandbox.wait_for("a command that waits", lambda: waits(process))
    process.send_signal(number)
    try:
        if number == signal.SIGPIPE: # which ends nothing
            time.sleep(0.2)
            daemon.send_signal(signal.SIGCONT)
        process.wait(timeout=30)
    finally:
        daemon.send_signal(signal.SIGCONT)
    return answer(process)


def redirected(command, words, stream, file):
    try:
        return answer(start(command, words, **{stream: file}), None if stream == "stdin" else KEYFILE)
    finally:
        os.close(file)


def cases(daemon):
    """(what it is, command -> the answer)"""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
        for words in (SHOW, ADD, MODIFY) + (OFFLINE_MODIFY,) * (number != signal.SIGPIPE):
            yield f"{number.name}, {words}", lambda command, w=words, n=number: signalled(command, w, n, daemon)
    for stream, files in (("stdout", OUTPUTS), ("stderr", OUTPUTS), ("stdin", INPUTS)):
        for name, file in files.items():
            for words in (SHOW, ADD, MODIFY, BAD, OFFLINE_ADD, OFFLINE_MODIFY):
                yield f"{stream} is {name}, {words}", lambda command, w=words, s=stream, f=file: redirected(command, w, s, f())


def main():
    nmcli, nm_ib = sandbox.enter(), sys.argv[1]
    bad = count = 0
    with sandbox.bus(), sandbox.network_manager(nmcli) as daemon:
        fixtures = live.Fixtures(nmcli)
        for what, run in cases(daemon):
            results = []
            for command in (nmcli, nm_ib):
                fixtures.clean = False
                fixtures.reset()
                results.append(run(command))
            count += 1
            if results[0] != results[1]:
                bad += 1
                print(what, *results, sep="\n  ")
    print(f"{count - bad} of {count} end the same")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
