#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""random_events.py SEED ROUNDS: causes random events; after a few of them, compares every interface with its profile.

Runs in the guest, on two HCAs with one port each: mlx4_0 (rev a0) with ib0, and mlx4_1 with ib1. Prints each difference."""
import os
import random
import subprocess
import sys
import time

from random_profiles import NET, read, run

SOFTHCA = "/sys/module/softhca/parameters"
STATE = "/run/NetworkManager/nm-infiniband"
MODES = ("connected", "datagram")
MTUS = (0, 1500, 2044, 4092, 9000, 65520)
PAUSES = (0, 0.01, 0.05, 0.1, 0.19, 0.2, 0.21, 0.22, 0.3, 0.6, 1, 3)  # the plugin reads the interface 200 ms after an event


def fabric(line):
    with open(f"{SOFTHCA}/cmd", "w", encoding="ascii") as f:
        f.write(line)


class Profile:
    """A profile, and the expected values of its interface."""

    def __init__(self, number, port, key, r):
        self.hca = "mlx4_0" if port == "ib0" else "mlx4_1"
        self.name, self.link = f"p{number}", f"{port}.{key[2:]}" if key else port
        self.mode, self.mtu = r.choice(MODES), r.choice(MTUS)
        self.mode_now, self.mtu_now = self.mode, self.mtu  # after changes of the interface or of its active profile
        self.by_hand = None  # an MTU set on the interface, allowed until the profile is applied again
        where = ["parent", port, "p-key", key] if key else ["ifname", port]
        subprocess.run(["nmcli", "connection", "add", "type", "infiniband", "con-name", self.name, "autoconnect", "no", "ipv4.method", "manual",
                        "ipv4.addresses", f"192.0.{number}.1/24", "ipv6.method", r.choice(("disabled", "link-local")),
                        "transport-mode", self.mode, "mtu", str(self.mtu), *where], check=True, stdout=subprocess.DEVNULL)
        self.up()

    def up(self):
        if run("nmcli", "-w", "40", "connection", "up", self.name).returncode == 0:
            self.mode_now, self.mtu_now, self.by_hand = self.mode, self.mtu, None

    def wrong(self, active):
        """Returns the differences between profile and interface."""
        mode, mtu = read(self.link, "mode"), int(read(self.link, "mtu") or 0)
        if self.name not in active:  # without a carrier for too long, NetworkManager ends the activation and keeps the interface
            return []
        if active[self.name] != "activated" or read(self.link, "carrier") != "1":
            return [f"is {active[self.name]}, carrier {read(self.link, 'carrier')}"]
        with open(f"{SOFTHCA}/group_mtu", encoding="ascii") as f:
            most = 65520 if mode == "connected" else int(f.read()) - 4
        said = []
        if mode != self.mode_now:
            said.append(f"is in {mode} mode, not {self.mode_now}")
        if mtu > most or (self.mtu_now and mtu not in (min(self.mtu_now, most), self.by_hand)):
            said.append(f"has MTU {mtu} in {mode} mode, where {self.mtu_now or 'the highest'} is asked for and {most} possible")
        if self.hca == "mlx4_0" and "tx-tcp-segmentation: off" not in run("ethtool", "-k", self.link).stdout:
            said.append("has TSO")
        return said


# --- events: each has all profiles, one profile and the random generator as arguments


def flap(_all, p, r):
    fabric(f"state {p.hca} 1 down")
    time.sleep(r.choice(PAUSES))
    fabric(f"state {p.hca} 1 active")


def reregister(_all, p, _r):
    fabric(f"event {p.hca} 1 rereg")


def lose_subnet_manager(_all, p, r):
    with open(f"/sys/class/infiniband/{p.hca}/ports/1/sm_lid", encoding="ascii") as f:
        lid = int(f.read(), 16)
    fabric(f"smlid {p.hca} 1 0")
    time.sleep(r.choice(PAUSES[:-2]))
    fabric(f"smlid {p.hca} 1 {lid}")


def lose_key(_all, p, r):
    fabric(f"pkey {p.hca} 1 2 0")
    time.sleep(r.choice(PAUSES[:-1]))
    fabric(f"pkey {p.hca} 1 2 0x8002")


def change_group(_all, _p, r):
    with open(f"{SOFTHCA}/group_mtu", "w", encoding="ascii") as f:
        f.write(r.choice(("2048", "4096")))  # of the next group; the final flap makes a new group


def write_mode(_all, p, r):
    mode = r.choice(MODES)
    if read(p.link, "mode") in (None, mode):
        return
    with open(f"{NET}/{p.link}/mode", "w", encoding="ascii") as f:
        f.write(mode + "\n")
    p.mode_now = mode


def write_mtu(_all, p, r):
    p.by_hand = r.choice((1500, 2000, 2044))
    run("ip", "link", "set", p.link, "mtu", str(p.by_hand))


def link_down(_all, p, r):
    run("ip", "link", "set", p.link, "down")
    time.sleep(r.choice(PAUSES[:-2]))
    run("ip", "link", "set", p.link, "up")


def delete_link(_all, p, _r):
    if "." in p.link:
        run("ip", "link", "delete", p.link)
        time.sleep(0.5)


def modify_mtu(_all, p, r):
    p.mtu = r.choice(MTUS)
    run("nmcli", "connection", "modify", p.name, "infiniband.mtu", str(p.mtu))
    if run("nmcli", "device", "reapply", p.link).returncode == 0:
        p.mtu_now = p.mtu


def modify_mode(_all, p, r):
    p.mode = r.choice(MODES)
    run("nmcli", "connection", "modify", p.name, "infiniband.transport-mode", p.mode)
    p.up()


def modify_device(_all, p, r):
    mtu = r.choice(MTUS)
    if run("nmcli", "device", "modify", p.link, "infiniband.mtu", str(mtu)).returncode == 0:
        p.mtu_now = mtu


def up(_all, p, _r):
    p.up()


def down(_all, p, _r):
    run("nmcli", "connection", "down", p.name)


def down_up(_all, p, _r):
    run("nmcli", "connection", "down", p.name)
    p.up()


def reload(_all, _p, _r):
    run("nmcli", "general", "reload")


def restart(profiles, _p, _r):
    run("systemctl", "restart", "NetworkManager")
    run("nm-online", "-sqt", "60")
    time.sleep(1)
    for p in profiles:  # the new daemon assumes the interfaces, with the profiles on disk
        p.mode_now, p.mtu_now = read(p.link, "mode"), p.mtu


EVENTS = (flap,) * 5 + (reregister, lose_subnet_manager, lose_key, change_group, write_mode, write_mtu, link_down, delete_link, modify_mtu, modify_mode,
                        modify_device, up, down, down_up, reload, restart)  # fmt: skip


# --- checks


def amiss(profiles):
    lines = run("nmcli", "-t", "-f", "NAME,STATE", "connection", "show", "--active").stdout.splitlines()
    active = dict(line.split(":") for line in lines)
    # A state file has the name of its interface, and stays. No file may have another name.
    noted = [f for f in os.listdir(STATE) if f.startswith(("mtu-", "child-", "logged-"))]
    left = [f for f in noted if f.partition("-")[2] not in {p.link for p in profiles}]
    return [f"{p.link} {what}" for p in profiles for what in p.wrong(active)] + [f"{STATE}/{f} is left" for f in left]


def quiet(profiles):
    """Checks after a final flap, which resets MTUs that were written by hand."""
    for state, pause in ("down", 1), ("active", 4):
        for hca in ("mlx4_0", "mlx4_1"):
            fabric(f"state {hca} 1 {state}")
        time.sleep(pause)
    said = amiss(profiles)
    if said:  # perhaps a slow machine: check again
        time.sleep(6)
        said = amiss(profiles)
    return said


def main(seed, rounds):
    r = random.Random(seed)
    profiles = [Profile(4 * i + j, port, key, r) for i, port in enumerate(("ib0", "ib1")) for j, key in enumerate((None, "0x8001", "0x8002", "0x0003"))]
    failed = False
    for number in range(rounds):
        happened = []
        for _ in range(r.randint(1, 8)):
            event, p = r.choice(EVENTS), r.choice(profiles)
            happened.append(f"{event.__name__} {p.link}")
            event(profiles, p, r)
            time.sleep(r.choice(PAUSES[:-1]))
        if said := quiet(profiles):
            failed = True
            print(f"round {number}: {', '.join(happened)}", *said, sep="\n  ")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
