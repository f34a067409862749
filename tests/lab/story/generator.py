# SPDX-License-Identifier: LGPL-2.1-or-later
"""Generates stories from a seed: actions of administrators, clients and machines on InfiniBand under NetworkManager.

All arguments are resolved here, never from the state of a guest, so that both sides play the same steps. A step that does not
apply fails on both sides in the same way."""

import random
import shlex

MAC = {"ib0": "80:00:00:48:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:01", "ib1": "80:00:00:49:fe:80:00:00:00:00:00:00:00:02:c9:03:00:0a:00:02"}
MODES = ("datagram", "connected")
MTUS = (0, 0, 1000, 1500, 2044, 2044, 4092, 4092, 9000, 65520)
KEYS = ("0x8001", "0x8001", "0x8002", "0x8002", "0x8002", "0x0003", "0x8004", "0x8099")
GUIDS = {1: "ib0", 2: "ib1"}


def fabric(r):
    """Returns the kind of the fabric, the knobs of softhca, and the first steps of the story."""
    knobs, steps = {"qpn_base": "0x48"}, []
    kind = r.choices(("plain", "enhanced", "srq", "own-key", "refuses", "b0"), (50, 12, 10, 12, 8, 8))[0]
    if r.random() < 0.5:
        knobs["active_mtu"] = "4096"
        knobs["group_mtu"] = r.choice(("2048", "4096"))
    if kind == "enhanced":
        knobs |= {"name": "mlx5_0", "driver": "mlx5_core", "devid": "0x1017", "rev": "0", "enhanced": "1"}
    elif kind == "srq":
        knobs["srq_sge"] = "4"
    elif kind == "own-key":
        knobs["pkeys"] = "0x8001,0xffff,0x8002,0x8003,0x0004"
    elif kind == "b0":
        knobs["rev"] = "0xb0"
    elif kind == "refuses":
        steps = [["hca", "connected", "mlx4_0", str(port), "refuse"] for port in (1, 2)]
    return kind, knobs, steps


class Generator:
    """Generates one story; remembers the names to which its steps refer."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.kind, self.knobs, self.first = fabric(self.r)
        self.hca = self.knobs.get("name", "mlx4_0")
        self.profiles, self.links, self.slow, self.checkpoint, self.number = {}, ["ib0", "ib1"], False, False, 0
        self.out, self.gone, self.asleep, self.off, self.no_sm = set(), False, False, False, False
        # Each story prefers some kinds of steps, so that rare combinations are more likely than with equal chances.
        self.weights = [(f, w * self.r.choice((0, 1, 1, 3))) for f, w in STEPS]

    def link(self):
        return self.r.choice(self.links + ["ib0"])

    def profile(self):
        return self.r.choice(list(self.profiles) or ["p1"])

    def addresses(self, number):
        words = ["ipv4.method", "disabled"]
        if self.r.random() < 0.6:
            words = ["ipv4.method", "manual", "ipv4.addresses", f"198.51.{number}.1/24"]
        if self.r.random() < 0.3:
            return words + ["ipv6.method", "link-local", "ipv6.mtu", self.r.choice(("1280", "1400", "2000"))]
        return words + ["ipv6.method", self.r.choice(("disabled", "link-local"))]

    # --- steps: each returns the words of its line

    def add_infiniband(self):
        r = self.r
        self.number += 1
        name, port = f"p{self.number}", r.choice(("ib0", "ib0", "ib1"))
        words = ["add", "infiniband", name, "autoconnect", r.choice(("yes", "no"))]
        shape = r.choices(("ifname", "mac", "any", "child", "child-mac"), (40, 10, 4, 38, 8))[0]
        link = port
        if shape == "ifname":
            words += ["ifname", port]
        elif shape == "mac":
            words += ["mac", MAC[port]]
        elif shape == "child":
            key = r.choice(KEYS)
            words += ["parent", port, "p-key", key]
            link = f"{port}.{key[2:]}"
        elif shape == "child-mac":
            words += ["p-key", r.choice(("0x8001", "0x8001", "0x8002", "0xffff")), "mac", MAC[port]]
        if r.random() < 0.85:
            words += ["transport-mode", r.choice(MODES)]
        words += ["mtu", str(r.choice(MTUS))] if r.random() < 0.8 else []
        if r.random() < 0.07:
            words += ["connection.master", "bond0", "connection.slave-type", "bond"]
        else:
            words += self.addresses(self.number)
        self.profiles[name] = link
        if link not in self.links:
            self.links.append(link)
        return words

    def add_bond(self):
        self.profiles["bond"] = "bond0"
        self.links.append("bond0")
        mtu = ["802-3-ethernet.mtu", self.r.choice(("1500", "3000"))] if self.r.random() < 0.4 else []
        return ["add", "bond", "bond", "ifname", "bond0", "autoconnect", "no", "bond.options", "mode=active-backup", *mtu, *self.addresses(200)]

    def add_other(self):
        if self.r.random() < 0.4:
            self.profiles["vlan"] = "ib0.5"
            return ["add", "vlan", "vlan", "ifname", "ib0.5", "dev", self.r.choice(("ib0", "bond0")), "id", "5", "autoconnect", "no", *self.addresses(201)]
        self.profiles["dummy"] = "dummy0"
        return ["add", "dummy", "dummy", "ifname", "dummy0", "autoconnect", "no", *self.addresses(202)]

    def change(self):
        r = self.r
        return r.choice((["infiniband.mtu", str(r.choice(MTUS))], ["infiniband.mtu", str(r.choice(MTUS))], ["infiniband.transport-mode", r.choice(MODES)],
                         ["infiniband.transport-mode", r.choice(MODES)], ["+ipv4.addresses", f"203.0.113.{r.randint(1, 9)}/24", "ipv4.method", "manual"],
                         ["connection.autoconnect", r.choice(("yes", "no"))], ["ipv6.method", r.choice(("disabled", "link-local"))],
                         ["infiniband.mtu", str(r.choice(MTUS)), "infiniband.transport-mode", r.choice(MODES)]))  # fmt: skip

    def modify(self):
        """With enhanced IPoIB, an edit to connected mode is followed by `up`: promises.control cannot compare a reapply of the mode."""
        profile, change = self.profile(), self.change()
        step = ["modify", profile, *change]
        return [step, ["up", profile]] if self.kind == "enhanced" and "connected" in change else step

    def device_modify(self):
        r = self.r
        mtu = ["infiniband.mtu", str(r.choice(MTUS))]
        words = r.choice((mtu, mtu, ["+ipv4.addresses", f"203.0.113.{r.randint(1, 9)}/24"], mtu if self.kind == "enhanced" else ["infiniband.transport-mode", r.choice(MODES)]))
        return ["device-modify", self.link(), *words]

    def reapply(self):
        return ["reapply", self.link()]

    def up(self):
        profile, again = self.profile(), self.r.random()
        if again < 0.25:  # the same profile a second time, mostly after `down`
            return [["up", profile], *[["down", profile]] * (again < 0.15), ["up", profile]]
        return ["up", profile] + (["ifname", self.r.choice(("ib0", "ib1"))] if self.r.random() < 0.06 else [])

    def down(self):
        return ["down", self.profile()]

    def device(self):
        verb = self.r.choice(("connect", "disconnect", "disconnect"))
        return [verb, self.link()]

    def managed(self):
        return ["managed", self.link(), self.r.choice(("yes", "no", "yes"))]

    def delete(self):
        name = self.profile()
        self.profiles.pop(name, None)
        return ["delete", name]

    def clone(self):
        self.number += 1
        name = self.profile()
        self.profiles[f"p{self.number}"] = self.profiles.get(name, "ib0")
        return ["clone", name, f"p{self.number}"]

    def write_mode(self):
        return ["write-mode", self.link(), self.r.choice(MODES)]

    def write_mtu(self):
        return ["ip", "link", "set", self.link(), "mtu", str(self.r.choice((1400, 1500, 2000, 2044, 4092, 9000)))]

    def link_file(self):
        return ["link-file", self.r.choice(("ib0", "ib1")), str(self.r.choice((1500, 1800, 2044, 4000)))]

    def address(self):
        return ["ip", "address", self.r.choice(("add", "add", "del")), f"192.0.2.{self.r.randint(1, 4)}/24", "dev", self.link()]

    def link_state(self):
        return ["ip", "link", "set", self.link(), self.r.choice(("down", "up"))]

    def child_by_hand(self):
        r, port, key = self.r, self.r.choice(("ib0", "ib1")), self.r.choice(("0x8001", "0x8002", "0x8003"))
        if r.random() < 0.3:
            return [r.choice(("create-child", "delete-child")), port, key]
        name = r.choice((f"{port}.{key[2:]}", f"{port}.{key[2:]}", "kid"))
        if name not in self.links:
            self.links.append(name)
        if r.random() < 0.25:
            return ["ip", "link", "delete", name]
        return ["ip", "link", "add", "name", name, "link", port, "type", "ipoib", "pkey", key]

    def flap(self):
        return ["flap", self.hca, str(self.r.choice((1, 1, 2))), str(self.r.choice((0.1, 1, 8)))]

    def port_state(self):
        return ["hca", "state", self.hca, "1", self.r.choice(("down", "active", "active"))]

    def group(self):
        """Returns steps that set the MTU of new groups, and mostly make a new group: by a flap, or as a subnet manager that restarts,
        by a client re-registration, with the carrier up."""
        mtu = self.r.choice(("2048", "4096"))
        new = self.r.choices(([["new-group", self.hca, "flap"]], [["new-group", self.hca, "rereg"]], []), (40, 40, 20))[0]
        return [["knob", "group_mtu", mtu], *new]

    def pkey(self):
        return ["hca", "pkey", self.hca, "1", "2", self.r.choice(("0", "0x8002", "0x8099"))]

    def subnet_manager(self):
        self.no_sm = not self.no_sm
        return ["subnet-manager", self.hca, "1", "gone" if self.no_sm else "back"]

    def restart(self):
        return self.r.choice((["restart"], ["restart"], ["restart"], ["stop-start", "2"]))

    def reload(self):
        return [self.r.choice(("reload", "load-profiles", "load-profiles", "sighup"))]

    def use_checkpoint(self):
        if not self.checkpoint:
            self.checkpoint = True
            return ["checkpoint", "create"]
        what = self.r.choice(("rollback", "rollback", "destroy"))
        self.checkpoint = False
        return ["checkpoint", what]

    def networking(self):
        self.off = not self.off
        return ["networking", "off" if self.off else "on"]

    def sleep(self):
        self.asleep = not self.asleep
        return ["sleep" if self.asleep else "wake"]

    def script(self):
        self.slow = not self.slow
        if not self.slow:
            return ["script", "none"]
        kind = self.r.choice(("3", "4", "failing", "mtu", "mtu", "mode"))
        value = {"mtu": self.r.choice(("1400", "1800", "4000", "9000")), "mode": self.r.choice(MODES)}.get(kind)
        return ["script", kind] + ([value, self.r.choice(("pre-up", "up"))] if value else [])

    def netns(self):
        port = self.r.choice(("ib0", "ib1"))
        self.out ^= {port}
        return ["netns", port, "out" if port in self.out else "back"]

    def hca_removed(self):
        self.gone = not self.gone
        return ["hca-remove" if self.gone else "hca-insert"]

    def wait(self):
        return ["wait", str(self.r.choice((20, 60, 340)))]

    def mend(self):
        """Returns a step that reverses one with which later steps have no effect, or None."""
        if self.gone and self.r.random() < 0.5:
            return self.hca_removed()
        if self.asleep and self.r.random() < 0.5:
            return self.sleep()
        if self.off and self.r.random() < 0.5:
            return self.networking()
        return self.netns() if self.out and self.r.random() < 0.3 else None

    def story(self, steps):
        made, first = list(self.first), len(self.first)
        while len(made) < steps + first:
            step = self.mend()
            if len(made) < first + 2:
                step = self.add_infiniband()
            elif len(made) == first + 2:
                step = ["up", "p1"]
            step = step or self.r.choices(*zip(*self.weights))[0](self)
            if isinstance(step[0], list):
                made += step
                continue
            # After a slow script, and sometimes otherwise, the next step follows without a wait.
            hurried = step[0] in ("up", "down", "reapply", "device-modify", "modify", "connect")
            made.append((["no-wait"] if hurried and self.r.random() < (0.5 if self.slow else 0.1) else []) + step)
        knobs = [f"{k}={v}" for k, v in self.knobs.items()]
        return [shlex.join(words) for words in [["fabric", *knobs], *made[: steps + first]]]


G = Generator
STEPS = ((G.add_infiniband, 12), (G.add_bond, 1), (G.add_other, 1), (G.modify, 10), (G.device_modify, 6), (G.reapply, 7), (G.up, 12), (G.down, 6), (G.device, 3),
         (G.managed, 2), (G.delete, 3), (G.clone, 1), (G.write_mode, 4), (G.write_mtu, 4), (G.link_file, 2), (G.address, 3), (G.link_state, 3),
         (G.child_by_hand, 3), (G.flap, 4), (G.port_state, 1), (G.group, 3), (G.pkey, 2), (G.subnet_manager, 1), (G.restart, 5), (G.reload, 3),
         (G.use_checkpoint, 3), (G.networking, 1), (G.sleep, 1), (G.script, 3), (G.netns, 1), (G.hca_removed, 1), (G.wait, 2))  # fmt: skip


def generate(seed, steps=20):
    """Returns the story of a seed, a list of lines."""
    return Generator(seed).story(steps)
