#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""player.py STORY: plays the steps of a story in the guest, and prints a snapshot of the network after each step.

A story is a text: one step in each line, its words quoted as in a shell. The first line is `fabric KNOB=VALUE...`. `no-wait` before
a step plays the next step without waiting for rest. The methods of Player below named do_* are the steps. The player prints
one line for each step: STEP and a JSON object."""

import array
import fcntl
import json
import os
import select
import shlex
import socket
import struct
import subprocess
import sys
import time

from bus import Bus, BusError

NET = "/sys/class/net"
SOFTHCA = "/sys/module/softhca/parameters"
SCRIPTS = "/etc/NetworkManager/dispatcher.d"
RUNNING = "/run/story-scripts"  # a file for each running slow dispatcher script
LINK_FILE = "/etc/systemd/network/10-story.link"
NM = "org.freedesktop.NetworkManager"
NM_PATH = "/org/freedesktop/NetworkManager"
QUIET = 11.5  # seconds without a change: longer than NetworkManager waits for a carrier after a change of the MTU
REST = 60  # seconds; a step without rest until then is recorded, and compared
GROUPS = 0x1 | 0x10 | 0x40 | 0x100 | 0x400  # of rtnetlink: links, addresses and routes
RESTING = (0, 10, 20, 30, 100, 120)  # device states without a transition
# Programs of the steps: read at the start, so that no step waits for the disk while the guest's clock runs.
WARM = ("/usr/bin/nmcli", "/usr/sbin/ip", "/usr/bin/udevadm", "/usr/bin/systemctl", "/usr/bin/nm-online", "/usr/bin/sleep", "/usr/bin/rm", "/usr/bin/touch")
MODULES = ("drivers/net/bonding/bonding.ko", "drivers/net/dummy.ko", "net/8021q/8021q.ko", "net/802/garp.ko", "net/802/mrp.ko", "net/802/stp.ko", "net/tls/tls.ko")


def read(path):
    try:
        with open(path, encoding="ascii", errors="replace") as f:
            return f.read().strip()
    except OSError:
        return None


def write(path, text):
    """Writes a file. Returns 0, or the number of the error."""
    try:
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        return 0
    except OSError as e:
        return e.errno


def run(*words, timeout=150):
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=timeout, check=False).returncode
    except subprocess.TimeoutExpired:
        return 124


def kernel_log():
    """The lines of the kernel log. Without dmesg: reading a program from a slow disk can take hours of the guest's clock."""
    lines = []
    log = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    try:
        while True:
            try:
                lines.append(os.read(log, 8192).decode(errors="replace"))
            except BlockingIOError:
                return lines
            except BrokenPipeError:  # lines were overwritten before they were read: go on with the next
                continue
    finally:
        os.close(log)


class Features:
    """Reads whether TSO is requested on an interface, by ioctl."""

    SIOCETHTOOL, GSSET_INFO, GSTRINGS, GFEATURES, SET = 0x8946, 0x37, 0x1B, 0x3A, 4

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        info = self._call("lo", struct.pack("=IIQI", self.GSSET_INFO, 0, 1 << self.SET, 0))
        self.count = struct.unpack_from("=I", info, 16)[0]
        strings = self._call("lo", struct.pack("=III", self.GSTRINGS, self.SET, self.count) + bytes(32 * self.count))
        names = [strings[12 + 32 * i : 44 + 32 * i].split(b"\0")[0].decode() for i in range(self.count)]
        self.tso = names.index("tx-tcp-segmentation")

    def _call(self, link, data):
        buffer = array.array("B", data)
        address = buffer.buffer_info()[0]
        fcntl.ioctl(self.socket, self.SIOCETHTOOL, struct.pack("@16sP16x", link.encode(), address))
        return buffer.tobytes()

    def tso_requested(self, link):
        blocks = (self.count + 31) // 32
        try:
            data = self._call(link, struct.pack("=II", self.GFEATURES, blocks) + bytes(16 * blocks))
        except OSError:
            return None
        requested = struct.unpack_from("=I", data, 8 + 16 * (self.tso // 32) + 4)[0]
        return bool(requested >> (self.tso % 32) & 1)


class Manager:
    """Reads NetworkManager's objects on the bus."""

    def __init__(self):
        self.bus = Bus()

    def call(self, path, interface, method, signature="", *arguments):
        return self.bus.call(NM, path, interface, method, signature, *arguments, timeout=200)

    def owner(self):
        try:
            return self.bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", "s", NM)[0]
        except BusError:
            return None

    def objects(self):
        """Returns path -> interface -> properties; None while NetworkManager does not run."""
        try:
            return self.call("/org/freedesktop", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")[0]
        except (BusError, socket.timeout):
            return None

    def applied(self, path):
        try:
            return self.call(path, f"{NM}.Device", "GetAppliedConnection", "u", 0)[0]
        except BusError:
            return None


class Events:
    """Waits until the kernel and NetworkManager report no change for a while."""

    def __init__(self):
        self.bus = Bus()
        self.bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s", f"type='signal',sender='{NM}'")
        self.netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        self.netlink.bind((0, GROUPS))
        self.sockets = [self.bus.socket, self.netlink]
        for s in self.sockets:
            s.setblocking(False)

    def quiet(self, end):
        while time.monotonic() < end:
            ready = select.select(self.sockets, [], [], QUIET)[0]
            if not ready:
                return
            time.sleep(0.3)
            for s in ready:
                try:
                    while s.recv(1 << 18):
                        pass
                except BlockingIOError:
                    pass
                except OSError:  # the socket has dropped events
                    pass


class View:
    """The state of NetworkManager at one moment, by name instead of by path."""

    def __init__(self, objects):
        def having(interface):
            return {path: kinds[interface] for path, kinds in (objects or {}).items() if interface in kinds}

        self.there = objects is not None
        self.manager = having(NM).get(NM_PATH, {})
        self.paths = {d["Interface"]: p for p, d in having(f"{NM}.Device").items() if d["Interface"] != "lo" and not d["Interface"].startswith("eth")}
        active = having(f"{NM}.Connection.Active")
        devices = having(f"{NM}.Device")
        self.devices = {}
        for name, path in self.paths.items():
            d = devices[path]
            self.devices[name] = {"state": d["State"], "managed": d["Managed"], "reason": d["StateReason"][1], "real": d["Real"],
                                  "profile": active.get(d["ActiveConnection"], {}).get("Id", "")}  # fmt: skip
        self.active = {}
        for a in active.values():
            links = [devices[p]["Interface"] for p in a["Devices"] if p in devices]
            if links != ["lo"]:
                self.active[f"{a['Id']} {' '.join(sorted(links))}"] = {"state": a["State"], "external": bool(a["StateFlags"] & 0x80)}
        self.profiles = {os.path.basename(c["Filename"]): {"unsaved": c["Unsaved"]} for c in having(f"{NM}.Settings.Connection").values()}

    def resting(self):
        busy = [d for d in self.devices.values() if d["state"] not in RESTING] + [a for a in self.active.values() if a["state"] in (1, 3)]
        return self.there and not busy and not self.manager.get("Startup")


def netlink_dump(kind, form):
    """Yields the fixed part and the attributes of each message of an rtnetlink dump."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as s:
        s.send(struct.pack("=IHHIIB3x", 20, kind, 0x301, 1, 0, 0))
        while True:
            data, at = s.recv(1 << 18), 0
            while at < len(data):
                size, what = struct.unpack_from("=IH", data, at)
                if what in (2, 3):  # NLMSG_ERROR, NLMSG_DONE
                    return
                head = at + 16 + struct.calcsize(form)
                attributes, place = {}, head
                while place + 4 <= at + size:
                    length, code = struct.unpack_from("=HH", data, place)
                    attributes[code] = data[place + 4 : place + length]
                    place += (length + 3) & -4
                yield struct.unpack_from(form, data, at + 16), attributes
                at += (size + 3) & -4


def text_of(family, data):
    return socket.inet_ntop(family, data) if data else "default"


def addresses(names):
    """Returns interface -> address -> scope. names: of the interfaces, by index."""
    found = {}
    for (family, prefix, _, scope, index), attributes in netlink_dump(22, "=BBBBI"):
        if index in names:
            address = f"{text_of(family, attributes.get(2) or attributes.get(1))}/{prefix}"
            found.setdefault(names[index], {})["fe80::/64" if address.startswith("fe80:") else address] = scope
    return found


def routes(names):
    """Returns interface -> routes, without metrics, which depend on the order of activations, and without the kernel's local tables."""
    found = {}
    for (family, prefix, _, _, table, protocol, _, kind, flags), attributes in netlink_dump(26, "=BBBBBBBBI"):
        index = struct.unpack("=I", attributes[4])[0] if 4 in attributes else 0
        if index in names and family in (socket.AF_INET, socket.AF_INET6) and not flags & 0x200 and table != 255:
            words = [text_of(family, attributes.get(1)), f"/{prefix}", f" via {text_of(family, attributes[5])}" if 5 in attributes else ""]
            found.setdefault(names[index], {})["".join(words) + f" table {table} protocol {protocol} type {kind}"] = True
    return found


def links():
    """Returns name -> sysfs values of each interface, without loopback and Ethernet."""
    found = {}
    for name in sorted(os.listdir(NET)):
        if name == "lo" or name.startswith("eth") or not os.path.isdir(f"{NET}/{name}"):
            continue
        at = f"{NET}/{name}"
        flags = int(read(f"{at}/flags") or "0", 16)
        upper = [n[6:] for n in os.listdir(at) if n.startswith("upper_")]
        lower = [n[6:] for n in os.listdir(at) if n.startswith("lower_")]
        found[name] = {"type": read(f"{at}/type"), "mode": read(f"{at}/mode"), "mtu": int(read(f"{at}/mtu") or 0), "up": bool(flags & 1),
                       "carrier": read(f"{at}/carrier"), "pkey": read(f"{at}/pkey"), "parent": read(f"{at}/parent"), "upper": upper, "lower": lower,
                       "index": read(f"{at}/ifindex"), "downs": int(read(f"{at}/carrier_down_count") or 0)}  # fmt: skip
    return found


def sysctls(names):
    """Returns interface -> its sysctls in net.ipv4.conf and net.ipv6.conf, the IPv6 MTU among them, that differ from the defaults."""
    found = {}
    for family in "ipv4", "ipv6":
        conf = f"/proc/sys/net/{family}/conf"
        for key in os.listdir(f"{conf}/default"):
            default = quick_read(f"{conf}/default/{key}")
            for name in names:
                value = quick_read(f"{conf}/{name}/{key}")
                if value != default:  # None: IPv6 is off, as the MTU is below 1280
                    found.setdefault(name, {})[f"{family}.{key}"] = value
    return found


def quick_read(path):
    """Like read(), at a fraction of its cost."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        return os.read(file, 256).decode(errors="replace").strip()
    except OSError:  # stable_secret without a value
        return None
    finally:
        os.close(file)


def plain(value):
    """Returns a value of an applied connection in a comparable form."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list) else value


class Player:
    """Plays the steps, and keeps the state that they share."""

    def __init__(self):
        self.knobs, self.checkpoint, self.restarts = [], None, 0
        os.makedirs(RUNNING, exist_ok=True)
        for directory in "/etc/NetworkManager/system-connections", "/var/lib/NetworkManager":
            os.makedirs(directory, exist_ok=True)
            run("mount", "-t", "tmpfs", "-o", "mode=700", "tmpfs", directory)
        for path in WARM + tuple(f"/lib/modules/{os.uname().release}/kernel/{module}" for module in MODULES):
            if os.path.exists(path):
                with open(path, "rb") as f:
                    f.read()
        self.features = Features()
        self.journal = subprocess.Popen(["journalctl", "-f", "-n", "0", "-o", "cat"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        os.set_blocking(self.journal.stdout.fileno(), False)
        self.text = b""

    def start(self, knobs):
        self.do_fabric(*knobs)
        run("systemctl", "start", "NetworkManager")
        self.nm, self.events = Manager(), Events()
        self.before = {}
        self.owned = self.nm.owner()

    # --- rest and snapshot

    def rest(self):
        """Waits for rest. Returns the last view, and True if there was rest."""
        end = time.monotonic() + REST
        while True:
            self.events.quiet(end)
            view = View(self.nm.objects())
            done = view.resting() and not os.listdir(RUNNING)
            if done or time.monotonic() > end:
                return view, done

    def lines(self):
        """Returns the lines of the journal since the last call."""
        data = self.text + (self.journal.stdout.read() or b"")
        whole, _, self.text = data.rpartition(b"\n")
        return whole.decode(errors="replace").splitlines() if whole else []

    def snapshot(self):
        view, rested = self.rest()
        found = {"rest": {"": {"reached": rested}}, "device": view.devices, "active": view.active, "profile": view.profiles}
        now = links()
        for name, link in now.items():
            old = self.before.get(name, {})
            link["tso"] = self.features.tso_requested(name)
            link["taken-down"] = link["downs"] - (old["downs"] if old.get("index") == link["index"] else 0)
        self.before = {name: dict(link) for name, link in now.items()}
        found["link"] = {name: {k: v for k, v in link.items() if k not in ("index", "downs")} for name, link in now.items()}
        names = {int(link["index"]): name for name, link in now.items()}
        found["address"], found["route"], found["sysctl"] = addresses(names), routes(names), sysctls(now)
        found["applied"] = {}
        for name, path in view.paths.items():
            applied = self.nm.applied(path) if view.devices[name]["profile"] else None
            if applied:
                found["applied"][name] = self.settings(applied)
        return found

    @staticmethod
    def settings(applied):
        chosen = {}
        for setting in ("connection", "infiniband", "ipv4", "ipv6", "ethtool", "bond"):
            for key, value in applied.get(setting, {}).items():
                if key not in ("uuid", "timestamp", "addresses", "routes", "dns"):
                    chosen[f"{setting}.{key}"] = plain(value)
        return chosen

    def record(self, number, words, wait):
        """Plays a step, and prints its record."""
        exit_code = self.step(words)
        found = self.snapshot() if wait else None
        ours, attempts, crashes = [], {}, 0
        for line in self.lines():
            if "nm-ib" in line and "nm-ib:" in line:
                ours.append(line)
            if "Activation: starting connection '" in line:
                name = line.split("starting connection '", 1)[1].split("'")[0]
                device = line.split("device (", 1)[-1].split(")")[0]
                attempts[f"{name} {device}"] = attempts.get(f"{name} {device}", 0) + 1
            crashes += "NetworkManager.service: Main process exited, code=" in line and "status=0" not in line
        owner = self.nm.owner()
        restarted, self.owned = owner != self.owned, owner
        done = {"exit": exit_code, "crashes": crashes, "restarted": restarted, "attempts": attempts, "ours": ours, "found": found}
        print("STEP " + json.dumps(done), flush=True)

    # --- steps

    def step(self, words):
        verb = "do_" + words[0].replace("-", "_")
        if not hasattr(self, verb):
            raise SystemExit(f"no such step: {words[0]}")
        return getattr(self, verb)(*words[1:])

    def do_fabric(self, *knobs):
        self.knobs = knobs
        run("modprobe", "-a", "ib_cm", "ib_ipoib")
        code = run("insmod", "./softhca.ko", *knobs)
        run("udevadm", "settle", "-t", "60")
        return code

    def do_hca_remove(self):
        code = run("rmmod", "softhca")
        run("udevadm", "settle", "-t", "60")
        return code

    def do_hca_insert(self):
        return self.do_fabric(*self.knobs)

    def do_hca(self, *words):
        return write(f"{SOFTHCA}/cmd", " ".join(words))

    def do_flap(self, hca, port, seconds):
        code = self.do_hca("state", hca, port, "down")
        time.sleep(float(seconds))
        return code or self.do_hca("state", hca, port, "active")

    def do_new_group(self, hca, how):
        """The subnet makes its groups again: at port 1 by a flap or, with "rereg", with the carrier up. Port 2 is down meanwhile, as a
        group with a member stays."""
        code = self.do_hca("state", hca, "2", "down")
        code = code or (self.do_hca("event", hca, "1", "rereg") if how == "rereg" else self.do_flap(hca, "1", 1))
        return self.do_hca("state", hca, "2", "active") or code

    def do_knob(self, name, value):
        return write(f"{SOFTHCA}/{name}", value)

    def do_subnet_manager(self, hca, port, what):
        self.do_knob("sm_absent", "0" if what == "back" else "1")
        return self.do_hca("smlid", hca, port, "4095" if what == "back" else "0")

    @staticmethod
    def do_wait(seconds):
        time.sleep(float(seconds))
        return 0

    @staticmethod
    def do_add(kind, name, *words):
        return run("nmcli", "connection", "add", "type", kind, "con-name", name, *words)

    @staticmethod
    def do_modify(name, *words):
        return run("nmcli", "connection", "modify", name, *words)

    @staticmethod
    def do_clone(name, new):
        return run("nmcli", "connection", "clone", name, new)

    @staticmethod
    def do_delete(name):
        return run("nmcli", "connection", "delete", name)

    @staticmethod
    def do_up(name, *words):
        return run("nmcli", "-w", "100", "connection", "up", name, *words)

    @staticmethod
    def do_down(name):
        return run("nmcli", "-w", "100", "connection", "down", name)

    @staticmethod
    def do_connect(link):
        return run("nmcli", "-w", "100", "device", "connect", link)

    @staticmethod
    def do_disconnect(link):
        return run("nmcli", "-w", "100", "device", "disconnect", link)

    @staticmethod
    def do_reapply(link):
        return run("nmcli", "device", "reapply", link)

    @staticmethod
    def do_device_modify(link, *words):
        return run("nmcli", "device", "modify", link, *words)

    @staticmethod
    def do_managed(link, yes):
        return run("nmcli", "device", "set", link, "managed", yes)

    @staticmethod
    def do_delete_device(link):
        return run("nmcli", "-w", "100", "device", "delete", link)

    @staticmethod
    def do_load_profiles():
        return run("nmcli", "connection", "reload")

    @staticmethod
    def do_reload():
        return run("nmcli", "general", "reload")

    def do_restart(self):
        return run("systemctl", "restart", "NetworkManager") or run("nm-online", "-sqt", "60")

    def do_stop_start(self, seconds):
        code = run("systemctl", "stop", "NetworkManager")
        time.sleep(float(seconds))
        return code or run("systemctl", "start", "NetworkManager")

    @staticmethod
    def do_sighup():
        return run("systemctl", "kill", "-s", "HUP", "NetworkManager")

    @staticmethod
    def do_networking(what):
        return run("nmcli", "-w", "100", "networking", what)

    def manager(self, method, signature, *arguments):
        """Calls a method of the manager. Returns 0, or 1 for an error reply."""
        try:
            reply = self.nm.call(NM_PATH, NM, method, signature, *arguments)
        except (BusError, socket.timeout):
            return 1
        if method == "CheckpointCreate":
            self.checkpoint = reply[0]
        return 0

    def do_sleep(self):
        return self.manager("Sleep", "b", True)

    def do_wake(self):
        return self.manager("Sleep", "b", False)

    def do_checkpoint(self, what, flags="6"):
        """Flags 6, like the network role: a rollback deletes new profiles and disconnects new devices."""
        if what == "create":
            return self.manager("CheckpointCreate", "aouu", [], 0, int(flags))
        if not self.checkpoint:
            return 1
        return self.manager(f"Checkpoint{what.title()}", "o", self.checkpoint)

    @staticmethod
    def do_write_mode(link, mode):
        return write(f"{NET}/{link}/mode", mode + "\n")

    @staticmethod
    def do_ip6_mtu(link, mtu):
        return write(f"/proc/sys/net/ipv6/conf/{link}/mtu", mtu)

    @staticmethod
    def do_ip(*words):
        return run("ip", *words)

    @staticmethod
    def do_create_child(parent, key):
        return write(f"{NET}/{parent}/create_child", key)

    @staticmethod
    def do_delete_child(parent, key):
        return write(f"{NET}/{parent}/delete_child", key)

    @staticmethod
    def do_link_file(link, mtu):
        """Writes a .link file with an MTU, which udev applies when the port appears."""
        code = write(LINK_FILE, f"[Match]\nOriginalName={link}\n\n[Link]\nMTUBytes={mtu}\n")
        run("udevadm", "control", "--reload")
        run("udevadm", "trigger", "--action=add", f"{NET}/{link}")
        run("udevadm", "settle", "-t", "60")
        return code

    @staticmethod
    def do_script(kind, value="", event="up"):
        """Installs a dispatcher script that takes some seconds, fails, or writes MTU or mode at an event; or removes the script."""
        if kind == "none":
            return run("rm", "-f", f"{SCRIPTS}/50-story", f"{SCRIPTS}/pre-up.d/50-story")
        path = f"{SCRIPTS}/pre-up.d/50-story" if event == "pre-up" else f"{SCRIPTS}/50-story"
        bodies = {
            "failing": "exit 3\n",
            "mtu": f'[ "$2" != {event} ] || ip link set "$1" mtu {value}\n',
            "mode": f'[ "$2" != {event} ] || echo {value} >{NET}/$1/mode\n',
        }
        body = bodies.get(kind, f"touch {RUNNING}/$$\nsleep {kind}\nrm -f {RUNNING}/$$\n")
        code = write(path, "#!/bin/sh\n" + body)
        os.chmod(path, 0o755)
        return code

    @staticmethod
    def do_netns(link, what):
        if what == "out":
            run("ip", "netns", "add", "away")
            return run("ip", "link", "set", link, "netns", "away")
        return run("ip", "-n", "away", "link", "set", link, "netns", "1")


def main(path):
    with open(path, encoding="utf-8") as f:
        story = [shlex.split(line) for line in f if line.strip() and not line.startswith("#")]
    player = Player()
    player.start(story[0][1:])
    player.snapshot()
    player.lines()
    for number, words in enumerate(story[1:]):
        wait = words[0] != "no-wait" or number == len(story) - 2
        player.record(number, words[words[0] == "no-wait" :], wait)
    trouble = [line for line in kernel_log() if any(w in line for w in ("BUG:", "WARNING:", "Oops", "Call Trace"))]
    print("END " + json.dumps({"kernel": trouble}), flush=True)
    sys.exit(bool(trouble))


if __name__ == "__main__":
    main(sys.argv[1])
