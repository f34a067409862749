#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""live.py NM-IB: compares nm-ib with nmcli on the real NetworkManager, and without one.
live.py NM-IB PROFILE: a part of it on the NetworkManager of this machine. PROFILE must be active; all other profiles are removed."""
import glob
import os
import re
import subprocess
import sys

import chance
import compare
import sandbox
from vectors import MAC, Vector, properties

USER = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
UUID = "c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e%04x"


def profile(number, name, infiniband="transport-mode=datagram\n", more="", tail=""):
    return (f"[connection]\nid={name}\nuuid={UUID % number}\ntype=infiniband\n{more}autoconnect=false\n\n"
            f"[infiniband]\n{infiniband}{tail}\n[ipv4]\nmethod=auto\n\n[ipv6]\naddr-gen-mode=default\nmethod=auto\n\n"
            "[proxy]\n")


# Profiles in the forms of nmcli, the Ansible network role and nm-connection-editor.
FIXTURES = {
    "plain": profile(1, "plain", more="interface-name=ib0\n"),
    "child": profile(2, "child", "p-key=32770\nparent=ib0\ntransport-mode=connected\n"),
    "bonded": profile(3, "bonded", more=f"master={UUID % 9}\nslave-type=bond\n").split("\n[ipv4]")[0],
    "editor": profile(4, "editor", f"mac-address={MAC.upper()}\nmtu=2044\ntransport-mode=datagram\n"),
    "twin1": profile(5, "twin"), "twin2": profile(6, "twin"),
    "odd": profile(7, "a:b\\\\c ü\\td"),
    "full": profile(8, "full", "mtu=65520\ntransport-mode=connected\n", "interface-name=ib7\nzone=trusted\n"
                    "permissions=user:root:;\nmud-url=https://example.com/m\n",
                    "\n[ethtool]\nfeature-tso=false\nring-rx=512\n\n[match]\ndriver=mlx4_core;\n\n[sriov]\ntotal-vfs=2\n"
                    "vf.0=trust=true\n\n[hostname]\npriority=5\n\n[tc]\nqdisc.root=fq_codel\n")
    .replace("[ipv4]\nmethod=auto", "[ipv4]\naddress1=10.0.0.1/24,10.0.0.254\naddress2=10.0.1.1/16\ndns=8.8.8.8;1.1.1.1;\n"
             "dns-options=\nmethod=manual\nroute1=10.9.0.0/16,10.0.0.2,7\nroute1_options=table=5\nroute2=10.8.0.0/16\n"
             "routing-rule1=priority 5 from 10.0.0.0/8 table 7"),
    # with properties that NetworkManager 1.42 does not have, and drops
    "newer": profile(11, "newer", "transport-mode=datagram\n", "interface-name=ib8\nautoconnect-ports=1\ndown-on-poweroff=1\n"
                     "ip-ping-timeout=7\nip-ping-addresses=192.0.2.1;2001:db8::1;\nip-ping-addresses-require-all=1\n",
                     "\n[ethtool]\nfec-mode=41\neee-enabled=true\nchannels-rx=4\n\n[link]\ngso-max-size=5\n\n[sriov]\n"
                     "total-vfs=2\neswitch-mode=1\neswitch-inline-mode=3\neswitch-encap-mode=1\n")
    .replace("[ipv4]\nmethod=auto", "[ipv4]\naddress1=192.0.2.1/24\nmay-fail=false\nmethod=shared\ndhcp-dscp=CS6\n"
             "dhcp-send-release=1\nrouted-dns=1\ndhcp-send-hostname=false\ndhcp-send-hostname-v2=1\ndhcp-ipv6-only-preferred=1\n"
             "shared-dhcp-range=192.0.2.10,192.0.2.20\nshared-dhcp-lease-time=3600")
    .replace("[ipv6]", "[ipv6]\nmay-fail=false\ndhcp-pd-hint=::/60\ndhcp-send-release=0\nip6-privacy=2\nrouted-dns=0\n"
             "temp-valid-lifetime=9\ntemp-preferred-lifetime=5\ndhcp-send-hostname-v2=0"),
    "newer port": profile(12, "newer port", more=f"interface-name=ib9\ncontroller={UUID % 9}\nport-type=bond\n",
                          tail="\n[bond-port]\nprio=-7\n").split("\n[ipv4]")[0],
    "slash": profile(13, "/slash", more="interface-name=ib11\n"),
    "bond": f"[connection]\nid=bond\nuuid={UUID % 9}\ntype=bond\ninterface-name=bond0\nautoconnect=false\n\n[bond]\n"
            "mode=active-backup\n",
    "wired": f"[connection]\nid=wired\nuuid={UUID % 10}\ntype=ethernet\ninterface-name=eth9\nautoconnect=false\n",
}
PROFILES = ("plain", "child", "bonded", "editor", "twin", "a:b\\c ü\td", "full", "newer", UUID % 1)


def c(*words, before=()):
    return Vector((*before, "connection", *words))


def modify_vectors():
    for words in ("infiniband.mtu 1500", "infiniband.transport-mode connected", "connection.id other", "mtu x", "bogus x",
                  "ipv4.method manual ip4 10.0.0.1/24", "ipv4.method manual", "+ipv4.dns 8.8.8.8", "remove infiniband",
                  "remove proxy", "connection.uuid new", "connection.type ethernet", "connection.interface-name x/y",
                  "connection.id plain", "", "master bond0", "master id/bond slave-type bond", "master nothere",
                  "controller bond", "connection.controller bond0 connection.port-type bond", "ipv4.method manual ipv4.addresses 10.0.0.1/24 ipv4.gateway 10.1.0.1", "infiniband.transport-mode", "connection.secondaries wired", "mac " + MAC, "autoconnect no"):
        yield c("modify", "editor", *words.split())
    for name in PROFILES:
        yield c("modify", name, "infiniband.mtu", "2000")
        yield c("modify", name, "infiniband.p-key", "0x8000")
        yield c("modify", name, "infiniband.mac-address", "", before=("-p",))
    yield c("modify", "editor", "connection.secondaries", "\nwired")
    yield c("modify", "nothere", "mtu", "1")
    yield c("modify")
    yield c("modify", "id")
    yield c("modify", "plain")
    yield c("modify", "--temporary", "plain", "mtu", "1500")
    for selector, value in (("id", "plain"), ("uuid", UUID % 1), ("uuid", "c1f5"), ("id", UUID % 1), ("path", "999"), ("path", "/x"), ("filename", f"{sandbox.PROFILES}/plain.nmconnection"),
                            ("filename", "x"), ("uuid", "zzz"), ("id", "twin"), ("apath", "x")):
        yield c("modify", selector, value, "infiniband.mtu", "1800")
    yield c("modify", "path", "1", "infiniband.mtu", "1800") # lo
    yield c("modify", f"{sandbox.PROFILES}/plain.nmconnection", "mtu", "1800")
    yield c("modify", "wired", "802-3-ethernet.mtu", "1400")


def add_vectors():
    for words in ("", "ifname ib0", "ifname ib0 con-name plain", "ifname ib0 con-name twin", "con-name x ifname *",
                  "ifname ib5 save no", "ifname ib5 save NO", "ifname ib5 save 0", "ifname ib5 save F", "ifname ib5 save 1",
                  "ifname ib5 save o", "p-key 0x8002", "parent ib0 p-key 0x8009", "parent ib0 p-key 0x8009 ifname foo",
                  "ifname ib0 mtu 65521", "ifname ib0 mtu x", "slave-type bond master bond0", "master bond0",
                  "slave-type bond master id/bond", "controller id/bond", "port-type bond controller nothere prio 3", "slave-type bond master nothere", "master uuid/" + UUID % 9,
                  "ip4 10.0.0.1/24", "ipv4.method manual", "con-name infiniband", "connection.uuid " + UUID % 1,
                  "master wired", "connection.autoconnect-ports 2", "connection.secondaries wired", "connection.secondaries " + UUID % 77, "connection.secondaries nothere"):
        yield c("add", "type", "infiniband", "autoconnect", "no", *words.split())
    for words in (("gw4", "10.0.1.1"), ("gw4", "10.0.0.9"), ("gw6", "2001:db8:9::1", "ip6", "2001:db8::1/61"),
                  ("gw6", "fe80::1", "ip6", "2001:db8::1/64"), ("+ipv4.routes", "10.9.0.0/16 10.7.0.1, 10.8.0.0/16 10.6.0.1"),
                  ("+ipv4.routes", "10.9.0.0/16 10.7.0.1 onlink=true"), ("+ipv4.routes", "10.9.0.0/16 10.7.0.1, 10.7.0.0/30"),
                  ("+ipv4.routes", "10.9.0.0/16 10.7.0.5, 10.7.0.0/30, 10.9.1.0/24 10.7.0.5"), ("ipv4.method", "auto", "+ipv4.routes", "10.9.0.0/16 10.7.0.1")):
        yield c("add", "type", "infiniband", "autoconnect", "no", "ip4", "10.0.0.1/24", *words)
    yield c("add", "type", "infiniband", "con-name", "line\nbreak:and\\back\x1b[1m", "autoconnect", "no")
    yield c("add", "type", "dummy", "ifname", "dummy7", "autoconnect", "no")


def other_vectors():
    """Yields commands that nm-ib passes to nmcli."""
    for words in ("show plain", "show twin", "show nothere", "show id plain", "show --active", "show", "show plain --show-secrets",
                  "show filename", "up nothere", "down plain", "delete nothere", "clone plain copy", "delete plain", "reload", "bogus"):
        yield c(*words.split())
    for options in ("-t", "-p", "-m tabular", "-f infiniband", "-g infiniband.mtu,connection.id", "-f bogus", "--overview"):
        yield c("show", "full", before=options.split())
    for words in ("general status", "device status", "networking", "radio all", "-t -f NAME connection", "bogus"):
        yield Vector(tuple(words.split()))


# Files changed without a reload of the daemon: name -> text. The profile in the daemon counts, not the file.
EDITS = (
    {"plain": FIXTURES["plain"].replace("id=plain", "id=edited")},
    {"twin1": FIXTURES["twin1"].replace("id=twin", "id=other")},
    {"twin2": FIXTURES["twin2"].replace("id=twin", "id=other")},
    {"twin1": FIXTURES["twin1"].replace("id=twin", "id=plain"), "plain": FIXTURES["plain"].replace("id=plain", "id=twin")},
    {"stray": profile(70, "stray")},
    {"bad": profile(71, "plain").replace("uuid=" + UUID % 71, "uuid=broken")},
    {"bad": profile(72, "editor\udcff")},
)


def edited_vectors():
    for name in ("plain", "edited", "twin", "other", "stray", "editor", UUID % 1):
        yield c("modify", name, "infiniband.mtu", "1999")
        yield c("modify", "id", name, "infiniband.p-key", "0x8000")
    yield c("add", "type", "infiniband", "autoconnect", "no", "con-name", "twin")


def user_vectors():
    """Yields commands for a user who may read most profiles and change none."""
    file = f"{sandbox.PROFILES}/plain.nmconnection"
    for words in (("filename", file), (file,), ("filename", file + "x"), ("id", file), ("/slash",)):
        yield c("modify", *words, "infiniband.mtu", "2000")
    for name in (*PROFILES, "nothere"):
        yield c("modify", name, "infiniband.mtu", "2000")
        yield c("modify", "--temporary", name, "infiniband.mtu", "2000")
    for words in ("ifname ib0", "con-name plain ifname *", "ifname ib5 save no", "p-key 0x8002 parent ib0", "master bond0"):
        yield c("add", "type", "infiniband", "autoconnect", "no", *words.split())


def vectors():
    yield from modify_vectors()
    yield from add_vectors()
    yield from other_vectors()


def share(profile):
    """Yields commands for the active profile, and some of the others, without object numbers, which depend on the machine."""
    for options in ((), ("-t",), ("-f", "GENERAL.STATE")):
        yield c("show", profile, before=options)
    for words in ("infiniband.mtu 1500", "infiniband.mtu x", "infiniband.p-key 0x8000", "connection.zone trusted"):
        yield c("modify", profile, *words.split())
        yield c("modify", "--temporary", profile, *words.split())
    known = [v for v in vectors() if not {"path", "apath", "up", "down", "device", "networking", "general"} & set(v.args)]
    yield from known[::12]


EMPTY_PORT = re.compile(r"\n\[bond-port\]\n(?=\n|$)")


def stored():
    """Returns the contents of all profile files, without their names."""
    texts = []
    for path in glob.glob(sandbox.PROFILES + "/*.nmconnection"):
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            text = f.read()
        text = EMPTY_PORT.sub("", text) # empty; nmcli from 1.54 on may or may not write it
        texts.append(text if "uuid=c1f5ab11" in text else compare.UUID.sub("UUID", text))
    return sorted(texts)


class Fixtures:
    """Restores the profiles after a change."""

    def __init__(self, nmcli, kept=()):
        self.nmcli = nmcli
        self.kept = ("lo", *kept)
        self.clean = False

    def reset(self):
        if self.clean:
            return
        for path in glob.glob(sandbox.PROFILES + "/*") + glob.glob("/run/NetworkManager/system-connections/*"):
            if os.path.basename(path).removesuffix(".nmconnection") not in self.kept:
                os.unlink(path)
        for name, text in FIXTURES.items():
            sandbox.write_profile(name, text)
        subprocess.run([self.nmcli, "connection", "reload"], check=True)
        self.clean = True

    def run(self, command, vector, become=()):
        self.reset()
        answer = compare.run(command, vector, become)
        self.clean = "show" in vector.args
        return answer, [] if self.clean else stored()

    def run_as_user(self, command, vector):
        return self.run(command, vector, USER)

    def run_edited(self, edits):
        def run(command, vector):
            self.clean = False
            self.reset()
            for name, text in edits.items():
                sandbox.write_profile(name, text)
            self.clean = False
            return compare.run(command, vector), stored()
        return run


def main():
    command, *active = sys.argv[1:]
    nmcli = sandbox.NMCLI if active else sandbox.enter()
    counts = compare.Counts()

    def judge(run, vector):
        reference, ours = run(nmcli, vector), run(command, vector)
        found = compare.verdict(vector, reference[0], ours[0])
        if found == "same" and reference[1] != ours[1]:
            found = "different"
        if counts.add(found):
            compare.show(vector, reference[0], ours[0])
            if reference[1] != ours[1]:
                print("  stored: nmcli", set(reference[1]) - set(ours[1]), "nm-ib", set(ours[1]) - set(reference[1]))

    def without_daemon(program, vector):
        return compare.run(program, vector), []

    if active:
        fixtures = Fixtures(nmcli, active)
        for vector in share(*active):
            judge(fixtures.run, vector)
        counts.finish(least=15)

    command = sandbox.for_anybody(command)
    some = [c("add", "type", "infiniband"), c("modify", "x", "mtu", "1"), c("show", "x"), c("add", "type", "infiniband", "x")]
    # with --ask, nmcli is polkit's agent, or prints why it is not
    some += [v._replace(args=("--ask", *v.args)) for v in some[1:]]
    some += [c("--ask", "add", "type", "infiniband", "x"), c("add", "--ask", "type", "infiniband", "x"),
             c("--ask", "add", "type", "infiniband", "x", before=("--offline",))]
    for vector in some:
        judge(without_daemon, vector)
    with sandbox.bus():
        for vector in some:
            judge(without_daemon, vector)
        with sandbox.network_manager(nmcli):
            fixtures = Fixtures(nmcli)
            for vector in vectors():
                judge(fixtures.run, vector)
            if "NMIB_LOCALE" not in os.environ: # in one language only
                for vector in chance.on_daemon(properties(nmcli), (*PROFILES, "newer port", "wired"), 1, 300):
                    judge(fixtures.run, vector)
            for edits in EDITS:
                for vector in edited_vectors():
                    judge(fixtures.run_edited(edits), vector)
            for vector in user_vectors():
                judge(fixtures.run_as_user, vector)
    counts.finish(least=200)


if __name__ == "__main__":
    main()
