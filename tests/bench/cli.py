#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""cli.py NM-IB LEAST [--loop N] [COUNT...]: times of nm-ib and nmcli: offline, with COUNT P_Key profiles in the daemon, and for
N profiles that are added one by one to an empty daemon (0: not measured).

A sample is one process, from spawn to end. nm-ib, nmcli and LEAST (least.cpp: the work that every such command needs) run in each
round, in a random order; judge.py makes the statistics. Status 1 if a command failed. A missed goal does not change the status."""
import argparse
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "integration", "cli"))
import sandbox  # noqa: E402

GOAL = 1  # nmcli takes at least as long as nm-ib
OFFLINE_GOAL = 2  # nm-ib takes at most this many times as long as nmcli, which it starts
ROUNDS = {0: 300, 500: 40, 4096: 20}
REST = 0.03  # seconds before each sample: the daemon still works for the previous client


def once(command, words, rest):
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    rested = time.perf_counter() + rest
    while time.perf_counter() < rested:  # busy: during a sleep, other processes would take the processor and its caches
        pass
    start = time.perf_counter()
    pid = os.posix_spawn(command, [command, *words], os.environ, file_actions=null)
    _, status = os.waitpid(pid, 0)
    end = time.perf_counter()
    if status:
        raise RuntimeError(f"{command} {words}: status {status}")
    return (end - start) * 1000


def race(count, races, object_path=None, rest=REST):
    """`races` are names and arguments; the arguments are a function of a word that is new for each run."""
    samples = []
    for n in range(-1, ROUNDS.get(count, 20)):  # the first round warms up
        for name, words in races.items():
            order = [("nmcli", nmcli), ("ours", nm_ib)] + [("least", least)] * (object_path is not None)
            random.shuffle(order)
            for who, command in order:
                new = f"{n}{who}"
                took = once(command, (object_path, name, f"new{new}") if who == "least" else words(new), rest)
                if n >= 0:
                    samples.append(f"{n}\t{who}_{name}\t{took}\n")
    if count:
        questions = [f"nmcli_{name} / ours_{name} >= {GOAL}" for name in races]
    else:
        questions = [f"ours_{name} / nmcli_{name} <= {OFFLINE_GOAL}" for name in races]
    if object_path:
        questions += [f"nmcli_{name} / least_{name}" for name in races]
    subprocess.run([sys.executable, os.path.join(HERE, "judge.py"), "--title", f"{count} profiles" if count else f"offline, {rest * 1000:g} ms apart",
                    *questions], input="".join(samples), text=True, check=True)


def loop(command, count):
    """Returns the seconds for a shell loop that adds this many P_Key profiles to a daemon that has only the profile of the port."""
    for name in os.listdir(sandbox.PROFILES):
        os.unlink(f"{sandbox.PROFILES}/{name}")
    sandbox.write_profile("port", "[connection]\nid=port\nuuid=c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0000\ntype=infiniband\ninterface-name=ib0\nautoconnect=false\n")
    with sandbox.bus(), sandbox.network_manager(nmcli):
        start = time.perf_counter()
        subprocess.run(["sh", "-ec", """i=0
            while [ $i -lt "$2" ]; do
                "$1" connection add type infiniband con-name "loop$i" parent ib0 p-key $((0x8001 + i)) autoconnect no
                i=$((i + 1))
            done""", "sh", command, str(count)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        took = time.perf_counter() - start
        if len(os.listdir(sandbox.PROFILES)) != count + 1:
            raise RuntimeError(f"{command}: not {count} profiles")
    return took


def main(counts, looped):
    for rest in (0, REST):  # with warm caches, and with cold ones
        race(0, {"add": lambda n: ("--offline", "connection", "add", "type", "infiniband", "ifname", "ib0")}, rest=rest)
    for count in counts:
        sandbox.write_many(count)
        time.sleep(3)  # like files that are older than the daemon: about a newer file nm-ib asks the daemon
        with sandbox.bus(), sandbox.network_manager(nmcli):
            sandbox.wait_for("profiles", lambda c=count: subprocess.run(
                [nmcli, "-g", "uuid", "connection", "show"], capture_output=True, check=False).stdout.count(b"\n") >= c)
            paths = subprocess.run([nmcli, "-g", "name,dbus-path", "connection", "show"], capture_output=True, text=True, check=True)
            race(count, {
                "add": lambda n: ("connection", "add", "type", "infiniband", "ifname", "ib9", "con-name", f"new{n}",
                                  "autoconnect", "no"),
                "modify": lambda n: ("connection", "modify", "p77", "infiniband.mtu", "2044")},
                dict(line.split(":") for line in paths.stdout.split())["p77"])
    if looped:
        ours, theirs = (loop(command, looped) for command in (nm_ib, nmcli))
        print(f"a loop of {looped} adds: nmcli {theirs:.1f} s, nm-ib {ours:.1f} s, nmcli / nm-ib {theirs / ours:.1f} >= {GOAL}: "
              f"{'met' if theirs / ours >= GOAL else 'missed'} (once each)")


if __name__ == "__main__":
    nmcli = sandbox.enter()
    options = argparse.ArgumentParser()
    options.add_argument("nm_ib")
    options.add_argument("least")
    options.add_argument("--loop", type=int, default=1000)
    options.add_argument("counts", type=int, nargs="*", default=[500, 4096])
    options = options.parse_intermixed_args()
    nm_ib, least = options.nm_ib, options.least
    main(options.counts, options.loop)
