#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""cli.py NM-IB LEAST [COUNT...]: how long nm-ib and nmcli take, offline and with that many P_Key profiles in the daemon.

A sample is one process, from spawn to end. nm-ib, nmcli and LEAST (least.cpp: what no command can do without) take turns, in
an order drawn anew in each round; judge.py makes the statistics. Status 1 when something failed; a missed goal is a figure."""
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "integration", "cli"))
import sandbox  # noqa: E402

GOALS = {0: 1.3, 500: 20, 4096: 60}
ROUNDS = {0: 300, 500: 40, 4096: 20}
REST = 0.03  # seconds before each sample: the daemon is still busy with a client that has gone


def once(command, words, rest):
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    rested = time.perf_counter() + rest
    while time.perf_counter() < rested:  # not asleep: on a busy machine others would take the processor and its caches
        pass
    start = time.perf_counter()
    pid = os.posix_spawn(command, [command, *words], os.environ, file_actions=null)
    _, status = os.waitpid(pid, 0)
    end = time.perf_counter()
    if status:
        raise RuntimeError(f"{command} {words}: status {status}")
    return (end - start) * 1000


def race(count, races, object_path=None, rest=REST):
    """`races` are names and arguments, these a function of a word that is new for every run."""
    samples = []
    for n in range(-1, ROUNDS[count]):  # the first round warms up
        for name, words in races.items():
            order = [("nmcli", nmcli), ("ours", nm_ib)] + [("least", least)] * (object_path is not None)
            random.shuffle(order)
            for who, command in order:
                new = f"{n}{who}"
                took = once(command, (object_path, name, f"new{new}") if who == "least" else words(new), rest)
                if n >= 0:
                    samples.append(f"{n}\t{who}_{name}\t{took}\n")
    questions = [f"nmcli_{name} / ours_{name} >= {GOALS[count]}" for name in races]
    if object_path:
        questions += [f"nmcli_{name} / least_{name}" for name in races]
    subprocess.run([sys.executable, os.path.join(HERE, "judge.py"), "--title", f"{count} profiles" if count else f"offline, {rest * 1000:g} ms apart",
                    *questions], input="".join(samples), text=True, check=True)


def main():
    for rest in (0, REST):  # with warm caches, and as after something else
        race(0, {"add": lambda n: ("--offline", "connection", "add", "type", "infiniband", "ifname", "ib0")}, rest=rest)
    for count in [int(n) for n in sys.argv[3:]] or [500, 4096]:
        sandbox.write_many(count)
        with sandbox.bus(), sandbox.network_manager(nmcli):
            sandbox.wait_for("profiles", lambda c=count: subprocess.run(
                [nmcli, "-g", "uuid", "connection", "show"], capture_output=True, check=False).stdout.count(b"\n") >= c)
            paths = subprocess.run([nmcli, "-g", "name,dbus-path", "connection", "show"], capture_output=True, text=True, check=True)
            race(count, {
                "add": lambda n: ("connection", "add", "type", "infiniband", "ifname", "ib9", "con-name", f"new{n}",
                                  "autoconnect", "no"),
                "modify": lambda n: ("connection", "modify", "p77", "infiniband.mtu", "2044"),
                "show": lambda n: ("connection", "show", "p77")}, dict(line.split(":") for line in paths.stdout.split())["p77"])


if __name__ == "__main__":
    nmcli = sandbox.enter()
    nm_ib, least = sys.argv[1:3]
    main()
