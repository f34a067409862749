# SPDX-License-Identifier: LGPL-2.1-or-later
"""Argument vectors for nmcli and nm-ib, generated from the grammar."""
import random
import re
import subprocess
from typing import NamedTuple, Optional


class Vector(NamedTuple):
    args: tuple
    stdin: Optional[str] = None


SETTINGS = ("connection", "infiniband", "sriov", "ethtool", "match", "ipv4", "ipv6", "hostname", "link", "tc", "proxy")

# Values for every property.
ODD = ("", " ", "x", "-1", "0", "1", "2", "255", "65521", "65536", "2147483647", "4294967295", "4294967296",
       "-2147483649", "default", "yes", "NO", "tru", "o", "on", "0x10", "010", " 5 ", "1,2", "1 2", "a\\,b c", "ü",
       "a:b\\c", "auto", "none", "datagram", "infinity", "unknown", "10.0.0.1", "fe80::1", "99999999999999999999",
       "a\nb", "\x1b[31m")

MAC = "80:00:02:08:fe:80:00:00:00:00:00:00:f4:52:14:03:00:7b:e1:b1"
# Valid and nearly valid values of each property.
MEANT = {
    "connection.id": ("plain", "with space", "ö"),
    "connection.uuid": ("c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001", "new", "nonsense"),
    "connection.type": ("infiniband", "ethernet", "infi"),
    "connection.interface-name": ("ib0", "ib0.8002", "0123456789abcdef", "a/b", "."),
    "connection.autoconnect-retries": ("forever", "default", "-2"),
    "connection.multi-connect": ("single", "multiple", "manual-multiple", "manu", "3"),
    "connection.permissions": ("root", "user:root,user:daemon", "user:", "a:b"),
    "connection.master": ("bond0", "id/bond0"),
    "connection.slave-type": ("bond", "team", "b", "vrf"),
    "connection.autoconnect-slaves": ("yes", "1", "default", "-1"),
    "connection.metered": ("yes", "no", "unknown", "guess-yes"),
    "connection.lldp": ("enable", "enable-rx", "disable", "default", "2"),
    "connection.mdns": ("resolve", "yes", "no", "2"),
    "connection.llmnr": ("resolve", "3"),
    "connection.dns-over-tls": ("opportunistic", "yes"),
    "connection.mptcp-flags": ("enabled,signal", "signal subflow", "disabled", "default", "0x12", "bogus"),
    "connection.mud-url": ("https://example.com/mud", "none", "ftp://x"),
    "infiniband.mac-address": (MAC, MAC.replace(":", "-").upper(), "1:2", MAC + ":00", "f4:52:14:7b:e1:b1"),
    "infiniband.mtu": ("2044", "65520", "65521", "auto", "Auto"),
    "infiniband.transport-mode": ("connected", "Connected", "c", "d", "foo"),
    "infiniband.p-key": ("0x8002", "0X8002", "8002", "32770", "default", "-2", "0x8000", "0x10000", "0b1", "Default"),
    "infiniband.parent": ("ib0", "mlx4_ib0", "0123456789abcdef", "a/b"),
    "sriov.vfs": ("0", "0 mac=00:11:22:33:44:55 trust=true, 1 vlans=1.2.q", "x", "0 bogus=1"),
    "match.interface-name": ("ib*", "ib0 ib1", "ib0,!ib1", "&ib0", "a\\ b"),
    "match.driver": ("mlx4_core mlx5_core", "a\\,b,c"),
    "match.path": ("pci-0000:01:00.0", "!pci-0000:01:00.0"),
    "match.kernel-command-line": ("rd.neednet a=b",),
    "ipv4.method": ("manual", "static", "dis", "link", "st", "s"),
    "ipv6.method": ("manual", "ignore", "stat", "i", "d"),
    "ipv4.dns": ("8.8.8.8, 8.8.4.4", "8.8.8.8 1.1.1.1", "::1", "8.8.8"),
    "ipv6.dns": ("2001:db8::1", "8.8.8.8"),
    "ipv4.dns-search": ("example.com example.org", "a,b", "~."),
    "ipv4.dns-options": ("ndots:2 rotate", "rotate,rotate", "bogus:1"),
    "ipv4.addresses": ("10.0.0.1/24", "10.0.0.1/24, 10.0.0.2/24", "10.0.0.1", "10.0.0.1/33", "10.0.0/24", "::1/64"),
    "ipv6.addresses": ("2001:db8::1/64", "2001:db8::1", "2001:db8::1/129", "10.0.0.1/24"),
    "ipv4.gateway": ("10.0.0.254", " 10.0.0.254 ", "10.0.0", "::1"),
    "ipv6.gateway": ("fe80::1", "10.0.0.1"),
    "ipv4.routes": ("10.1.0.0/16 10.0.0.2", "10.1.0.0/16 10.0.0.2 5", "10.1.0.0/16 5 10.0.0.2", "0.0.0.0/0 10.0.0.1",
                    "10.1.0.0/16 10.0.0.2 5 table=7 onlink=true, 10.2.0.0/16", "10.1.0.0/16 bogus=1",
                    "10.1.0.0/16 table=1 7", "10.1.0.0/16 mtu=x", "x/8", "10.1.0.0/99", "10.1.0.0/16 rubbish"),
    "ipv6.routes": ("2001:db8:1::/48 2001:db8::2 3", "2001:db8:1::/48 src=2001:db8::9",
                    "2001:db8:1::/48 src=nowhere"),
    "ipv4.route-table": ("main", "unspec", "254", "100"),
    "ipv4.routing-rules": ("priority 5 from 10.0.0.0/8 table 7", "priority 5 to 1.2.3.4 table 7, priority 6 table 8",
                           "from 10.0.0.0/8", "rubbish"),
    "ipv6.routing-rules": ("priority 5 from 2001:db8::/32 table 7",),
    "ipv4.dhcp-client-id": ("mac", "01:02:03", "duid"),
    "ipv4.dhcp-iaid": ("mac", "7", "ifname"),
    "ipv4.dhcp-timeout": ("infinity", "default", "45"),
    "ipv4.dhcp-hostname-flags": ("fqdn-encoded", "0x1", "fqdn-serv-update,fqdn-no-update", "bogus"),
    "ipv4.dhcp-reject-servers": ("10.0.0.1", "10.0.0.0/8 10.1.0.1", "10.0.0.0/33", "::1"),
    "ipv4.link-local": ("enabled", "disabled", "auto"),
    "ipv4.required-timeout": ("infinity", "default", "20000"),
    "ipv4.dad-timeout": ("off", "default", "3000"),
    "ipv6.ip6-privacy": ("0", "1", "2", "-1", "prefer-temp-addr", "enabled, prefer public IP", "default"),
    "ipv6.addr-gen-mode": ("eui64", "stable-privacy", "default", "e"),
    "ipv6.dhcp-duid": ("ll", "stable-uuid", "00:01"),
    "ipv6.token": ("::1", "bogus"),
    "ipv6.mtu": ("1280", "auto"),
    "tc.qdiscs": ("root fq_codel", "root handle 1: pfifo_fast", "rubbish here"),
    "tc.tfilters": ("parent ffff: matchall action simple sdata Hello", "x"),
    "proxy.method": ("auto", "none", "1"),
    "proxy.pac-url": ("http://example.com/wpad.dat",),
    "proxy.pac-script": ("function FindProxyForURL(u,h){return 'DIRECT';}", "file:///nonexistent", "js://x"),
    "ethtool.feature-tso": ("on", "off", "ignore", "default", "true", "ig", "bogus"),
    "ethtool.ring-rx": ("0", "1024"),
    "ethtool.coalesce-adaptive-rx": ("1", "0"),
    "ethtool.pause-autoneg": ("on", "off"),
    # later than NetworkManager 1.42
    "connection.controller": ("bond0", "id/bond0"),
    "connection.port-type": ("bond", "team", "b", "vrf"),
    "connection.autoconnect-ports": ("yes", "true", "1", "default", "-1", "2"),
    "connection.down-on-poweroff": ("yes", "no", "default", "1", "2"),
    "connection.ip-ping-addresses": ("192.0.2.1", "192.0.2.1,2001:db8::1", "192.0.2.1 192.0.2.2", "a\\,b"),
    "connection.ip-ping-addresses-require-all": ("yes", "no", "true", "1"),
    "sriov.eswitch-mode": ("legacy", "switchdev", "preserve", "1", "SWITCHDEV"),
    "sriov.eswitch-inline-mode": ("link", "transport", "3"),
    "sriov.eswitch-encap-mode": ("basic", "none"),
    "ipv4.dhcp-dscp": ("CS0", "CS6", "cs4", "C", "CS"),
    "ipv4.dhcp-send-hostname": ("yes", "no", "true", "default", "0"),
    "ipv4.dhcp-ipv6-only-preferred": ("yes", "no", "auto"),
    "ipv4.routed-dns": ("yes", "no", "default"),
    "ipv4.shared-dhcp-range": ("192.0.2.10,192.0.2.20", "192.0.2.10"),
    "ipv4.shared-dhcp-lease-time": ("infinity", "default", "3600"),
    "ipv6.dhcp-pd-hint": ("::/60", "2001:db8::/48"),
    "ipv6.temp-valid-lifetime": ("default", "600"),
    "ethtool.channels-rx": ("0", "4"),
    "ethtool.eee-enabled": ("on", "off", "ignore"),
    "ethtool.fec-mode": ("auto", "rs, baser", "off llrs", "40", "rs x", "0"),
    "link.tx-queue-length": ("1000", "default", "-1", "-2"),
}
# The value of a property before a change.
BEFORE = {
    "ipv4.addresses": "10.0.0.1/24,10.0.0.2/24,10.0.0.3/24", "ipv6.addresses": "2001:db8::1/64,2001:db8::2/64",
    "ipv4.dns": "8.8.8.8,8.8.4.4,1.1.1.1", "ipv4.dns-search": "a,b,c", "ipv4.dns-options": "rotate,ndots:2",
    "ipv4.routes": "10.1.0.0/16 10.0.0.9 7,10.2.0.0/16", "match.interface-name": "ib0,ib1", "match.driver": "a,b",
    "match.path": "pci-0000:01:00.0,x", "match.kernel-command-line": "a,b", "connection.permissions": "root,daemon",
    "ipv4.routing-rules": "priority 5 from 10.0.0.0/8 table 7,priority 6 table 8 from 1.2.3.4",
    "sriov.vfs": "0,1 trust=true", "ipv4.dhcp-reject-servers": "10.0.0.1,10.0.0.2",
    "connection.mptcp-flags": "enabled,signal", "connection.secondaries": "c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001",
    "tc.qdiscs": "root fq_codel",
}


def properties(nmcli):
    """Returns every property of every setting of the reference."""
    found = []
    for setting in SETTINGS:
        says = subprocess.run([nmcli, "--offline", "connection", "add", "type", "infiniband", setting + ".?", "x"],
                              capture_output=True, text=True, check=False).stderr
        if "not allowed setting" not in says:  # the setting link is newer than 1.42
            found += [f"{setting}.{name}" for name in re.search(r"\[(.*)\]", says).group(1).split(", ")]
    return found


def add(*words):
    return Vector(("--offline", "connection", "add") + words)


def grammar():
    """Yields vectors with words, abbreviations, orders and mistakes."""
    base = ("type", "infiniband", "ifname", "ib0", "con-name", "a")
    yield from (add(*words.split()) for words in (
        "type infiniband", "type inf", "type InfiniBand ifname ib0", "type IN ifname ib0",
        "con-name a ifname ib0 type infiniband", "ifname * type infiniband",
        "type infiniband ifname * con-name x", "type infiniband ifname ib0 mac 1:2", "type infiniband bogus x",
        "type infiniband p-key 0x8002 parent ib0", "type infiniband p-key 0x8002", "type infiniband p-key 0 parent ib0",
        "type infiniband p-key 0x8000 parent ib0", "type infiniband p-key 0x8002 parent ib0 ifname ib0.8002",
        "type infiniband p-key 0x8002 parent ib0 ifname foo", "type infiniband p-key 2 parent ib0 ifname ib0.0002",
        "type infiniband parent ib0", f"type infiniband p-key 2 mac {MAC}", f"type infiniband p-key 2 mac {MAC} ifname x",
        "type infiniband p-key 0", "type infiniband parent a/b p-key 2", "type infiniband parent 0123456789abcdef p-key 2",
        "type infiniband ip4 10.0.0.1/24 gw4 10.0.0.254 ip6 2001:db8::1/64 gw6 fe80::1",
        "type infiniband ip4 10.0.0.1/24 ip4 10.0.0.2/24", "type infiniband ip4 x", "type infiniband gw4 10.0.0.1",
        "type infiniband autoconnect no save no", "type infiniband save", "type infiniband save maybe",
        "type infiniband save no -- mtu 1500", "type infiniband -- infiniband.mtu 1500 -- x", "type infiniband --",
        "type infiniband mtu x -- ifname ib0", "type infiniband mtu x save no", "save no type infiniband",
        "type infiniband infin.mtu 1500", "type infiniband infiniband.mt 1500", "type infiniband infiniband.m 1500",
        "type infiniband INFINIBAND.MTU 1500", "type infiniband ip.method auto", "type infiniband .mtu 1",
        "type infiniband infiniband. 1", "type infiniband user.data x=y", "type infiniband 802-1x.eap tls",
        "type infiniband mtu", "type infiniband infiniband.mtu", "type infiniband +ipv4.dns", "type infiniband +x y",
        "type infiniband +ipv4.dns 8.8.8.8 -ipv4.dns 8.8.8.8", "type infiniband -infiniband.mtu 5",
        "type infiniband +infiniband.mtu 5", "type infiniband -infiniband.mtu x", "type infiniband remove ipv4",
        "type infiniband master bond0 slave-type bond", "type infiniband slave-type bond master bond0",
        "type infiniband slave-type bond master id/bond0 queue-id 3", "slave-type bond type infiniband master bond0",
        "type infiniband slave-type bond ipv4.method auto", "type infiniband master bond0", "type infiniband slave-type x",
        "type infiniband slave-type vrf master v0 ip4 10.0.0.1/24",
        "type infiniband slave-type bond master b0 ifname ib0", "type infiniband slave-type bond master b0 bond-port.q 2",
        "type infiniband type infiniband", "type infiniband method auto pac-url http://x",
        "type infiniband controller bond0", "type infiniband port-type bond controller b0 prio 3",
        "type infiniband slave-type bond master b0 prio 3 match.path x", "type infiniband controller id/bond0 ip4 10.0.0.1/24",
        "type infiniband browser-only yes", "type infiniband transport-mode c mtu 65520 p-key -1", "-s type infiniband"))
    # another type, or none
    yield from (add(*words.split()) for words in (
        "mtu 1500 type infiniband", "slave-type x type infiniband", "type i", "type", "type x", "type infiniband type ethernet",
        "type ethernet ifname eth0", "type bond mode active-backup", "type infiniband slave-type team master t0", "",
        "--ask-not type infiniband", "type vlan dev eth0 id 5", "type infiniband connection.type ethernet", "type dummy ifname d0 mtu 9"))
    yield from (add(*base, *words.split()) for words in ( # orders, and words of a port of a bond
        "ipv4.method auto slave-type bond master b0", "slave-type bond master b0 ipv4.method disabled",
        "slave-type bond master b0 ipv6.method ignore ipv4.method ignore", "slave-type bond master b0 ipv4.meth disabled",
        "slave-type bond master b0 ip4 10.0.0.1/24", "slave-type bond master b0 ipv4.dns 10.0.0.2", "ipv4.method x slave-type",
        "mtu x slave-type bond master", "bogus.x", "bogus.x y master b0", "+connection.master b0 connection.slave-type bond",
        "-connection.port-type bond mtu 1500", "slave-type bond master b0 slave-type vrf", "master b0 type infiniband mtu 2044",
        "save no save yes mtu 1500", "mtu 1500 save no -- ifname ib1", "-- save no", "mtu -- mtu 1500", "mtu save save no"))
    yield add(*base, "mtu", "")
    yield add(*base, "master", "")
    yield add(*base, "ifname", "")
    yield add(*base, "con-name", "")
    yield add(*base, "ip4", "")
    yield add(*base, "", "x")
    yield add("type", "")
    yield add("type", "infiniband", "con-name", "line\nbreak:and\\back")
    for options in (["-t"], ["-p"], ["-m", "t"], ["-c", "no"], ["-e=n"], ["-g", "all"], ["-w", "5"], ["-"], ["-f"],
                    ["-f", "all", "-g", "x"], ["--nocheck"], ["--offl", "--off"]):
        yield Vector((*options, "--offline", "c", "a", *base))
    # mistakes before the first word; other commands
    for options in (["-t", "-p"], ["-p", "-p"], ["-m", "x"], ["-c"], ["--esc", "maybe"], ["-w", "x"], ["--x"], ["--"], ["-a=b"]):
        yield Vector((*options, "--offline", "c", "a", *base))
    yield Vector(("--offline", "connection", "show"))
    yield Vector(("--offline", "device"))
    yield Vector(("--offline", "con", "edit", "help"))
    yield Vector(("--offline", "c", "a", "--", *base))
    yield Vector(("--offline", "co", "ad", "--show-secrets", *base))


def values(name, full, rng):
    yield from MEANT.get(name, ())
    yield from ODD if full else rng.sample(ODD, 4)


def worth_it(name, full):
    return full or not name.startswith("ethtool.") or name in MEANT


def property_vectors(names, full, rng):
    for name in filter(lambda n: worth_it(n, full), names):
        for value in values(name, full, rng):
            yield add("type", "infiniband", "ifname", "ib0", "con-name", "a", name, value)


def profile_with(name):
    """Returns the words for a profile that has the property."""
    more = ("sriov.total-vfs", "3") if name == "sriov.vfs" else ()
    return ("type", "infiniband", "ifname", "ib0", "con-name", "a", *more, name, BEFORE[name])


def modify_vectors(names, keyfile_of, full, rng):
    """Yields changes of a profile that has the property. `keyfile_of` makes the profile from words."""
    plain = keyfile_of(("type", "infiniband", "ifname", "ib0", "con-name", "a", "mtu", "2044"))

    def modify(text, *words):
        return Vector(("--offline", "connection", "modify") + words, text)

    for words in ("", "mtu 1500", "infiniband.p-key 0x8002 infiniband.parent ib0 connection.interface-name ib0.8002",
                  "remove ipv4", "remove infiniband", "remove conn", "remove", "remove x", "remove proxy mtu 1500",
                  "remove ethtool", "remove ip", "connection.id b", "connection.uuid new", "mac " + MAC, "bogus x",
                  "type infiniband", "connection.type ethernet", "-infiniband.mtu 1", "--temporary mtu 1500", "ifname *",
                  "-t mtu 1500", "ip4 10.0.0.1/24 ipv4.method manual", "ipv4.method manual", "con-name b autoconnect no",
                  "save no", "-- mtu 1500", "slave-type bond master b0", "transport-mode connected mtu 65520",
                  "connection.slave-type bond connection.master b0", "parent ib1", "remove ipv4 remove ipv6",
                  "remove ipv4 slave-type bond master b0", "mtu 1500 remove", "ipv4.method auto master b0 slave-type bond"):
        yield modify(plain, *words.split())
    for text in ("", "rubbish", "[connection]\nid=x\ntype=ethernet\n"):
        yield modify(text, "mtu", "1500")
    yield modify("[connection]\nid=x\ntype=infiniband\n[infiniband]\n", "mtu", "1500")
    yield modify("[connection]\nid=x\ntype=infiniband\n[infiniband]\np-key=2\nbogus=1\n[user]\na.b=c\n", "mtu", "1500")
    yield modify("[connection]\nid=x\nuuid=c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0009\ntype=infiniband\ninterface-name=ib0\n"
                 "autoconnect-ports=7\n[infiniband]\n", "infiniband.p-key", "0x8003")  # libnm prints a warning about it
    for name in filter(lambda n: worth_it(n, full), names):
        before = BEFORE.get(name)
        if not before:
            text = plain
        elif name == "connection.secondaries":  # nmcli crashes
            text = plain.replace("type=infiniband\n", f"type=infiniband\nsecondaries={before};\n")
        else:
            text = keyfile_of(profile_with(name))
        tried = list(values(name, full, rng)) + (["0", "1", "0,2", "7", before.split(",")[0]] if before else [])
        for value in tried if before or full else rng.sample(tried, min(3, len(tried))):
            for sign in ("+", "-") if before else (rng.choice(("+", "-", "")),):
                yield modify(text, sign + name, value)


def offline(nmcli, keyfile_of, full=False, seed=1):
    rng = random.Random(seed)
    names = properties(nmcli)
    yield from grammar()
    yield from property_vectors(names, full, rng)
    yield from modify_vectors(names, keyfile_of, full, rng)
