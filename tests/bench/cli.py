#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""cli.py NM-IB [COUNT...]: how long nm-ib and nmcli take, offline and with that many P_Key profiles in the daemon.

Medians of runs that take turns, in milliseconds. Status 1 when a goal is missed."""
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "integration", "cli"))
import sandbox  # noqa: E402

GOALS = {0: 1.3, 500: 20, 4096: 60}
RUNS = {0: 41, 500: 11, 4096: 5}


def once(command, words):
    start = time.perf_counter()
    done = subprocess.run([command, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise RuntimeError(f"{command} {words}: {done.stderr.decode()}")
    return (time.perf_counter() - start) * 1000


def race(count, what, words):
    """`words(n)` are the arguments of run number n. True when the goal is reached."""
    times = {nmcli: [], nm_ib: []}
    for n in range(RUNS[count]):
        for command, found in times.items():
            found.append(once(command, words(f"{n}{'ab'[command == nm_ib]}")))
    theirs, ours = (statistics.median(t) for t in times.values())
    good = theirs / ours >= GOALS[count]
    print(f"{count:5} profiles  {what:18} nmcli {theirs:8.1f} ms  nm-ib {ours:6.1f} ms  {theirs / ours:6.1f} x  "
          f"(goal {GOALS[count]} x{'' if good else ', MISSED'})", flush=True)
    return good


def main():
    counts = [int(n) for n in sys.argv[2:]] or [500, 4096]
    good = race(0, "--offline add", lambda n: ("--offline", "connection", "add", "type", "infiniband", "ifname", "ib0"))
    for count in counts:
        sandbox.write_many(count)
        with sandbox.bus(), sandbox.network_manager(nmcli):
            sandbox.wait_for("profiles", lambda c=count: subprocess.run(
                [nmcli, "-g", "uuid", "connection", "show"], capture_output=True, check=False).stdout.count(b"\n") >= c)
            good &= race(count, "connection add", lambda n: (
                "connection", "add", "type", "infiniband", "ifname", "ib9", "con-name", f"new{n}", "autoconnect", "no"))
            good &= race(count, "connection modify", lambda n: ("connection", "modify", "p77", "infiniband.mtu", "2044"))
            good &= race(count, "connection show", lambda n: ("connection", "show", "p77"))
    sys.exit(not good)


if __name__ == "__main__":
    nmcli = sandbox.enter()
    nm_ib = sys.argv[1]
    main()
