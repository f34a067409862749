#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""active.py NM-IB RECORDED [-v]: `connection show` of profiles that are active, with nmcli and with nm-ib.

The daemon is one that answers with what is written here: no port is needed, and leases and states can be had that no
network gives."""
import contextlib
import subprocess
import sys

import compare
import sandbox
from vectors import Vector

NM = "org.freedesktop.NetworkManager"
ROOT = "/org/freedesktop/NetworkManager"
UUID = "c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e%04x"


def text(value):
    """A string as GVariant text."""
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def dictionary(entries, key=text):
    return "{" + ", ".join(f"{key(k)}: {v}" for k, v in entries.items()) + "}"


def values(**entries):
    """a{sv}; the values are GVariant text."""
    return dictionary({k.replace("_", "-"): f"<{v}>" for k, v in entries.items()}) if entries else "@a{sv} {}"


def path(kind, number):
    return f"{ROOT}/{kind}/{number}" if number else "/"


def o(kind, number):
    return "objectpath '" + path(kind, number) + "'"


def paths(kind, numbers):
    return "@ao [" + ", ".join(text(path(kind, n)) for n in numbers) + "]"


def strings(*all_of_them):
    return "@as [" + ", ".join(map(text, all_of_them)) + "]"


def maps(*entries):
    return "@aa{sv} [" + ", ".join(values(**e) for e in entries) + "]"


def address(ip, prefix):
    return {"address": text(ip), "prefix": f"uint32 {prefix}"}


def route(dest, prefix, **more):
    return {"dest": text(dest), "prefix": f"uint32 {prefix}", **more}


def ip4(*addresses, gateway="", routes=(), dns=(), domains=(), searches=(), wins=()):
    return {f"{NM}.IP4Config": values(
        AddressData=maps(*addresses), Gateway=text(gateway), RouteData=maps(*routes),
        NameserverData=maps(*(d if isinstance(d, dict) else {"address": text(d)} for d in dns)), Domains=strings(*domains),
        Searches=strings(*searches), WinsServerData=strings(*wins))}


def ip6(*addresses, gateway="", routes=(), dns=(), domains=(), searches=()):
    servers = ", ".join("[" + ", ".join(f"byte 0x{b:02x}" for b in d) + "]" for d in dns)
    return {f"{NM}.IP6Config": values(
        AddressData=maps(*addresses), Gateway=text(gateway), RouteData=maps(*routes), Nameservers=f"@aay [{servers}]",
        Domains=strings(*domains), Searches=strings(*searches))}


def device(number, interface, ip_interface=None):
    return {f"{NM}.Device": values(
        Interface=text(interface), IpInterface=text(interface if ip_interface is None else ip_interface),
        DeviceType="uint32 32", State="uint32 100", Managed="true", Real="true", ActiveConnection=o("ActiveConnection", number),
        Path=text("pci-0000:01:00.0")), f"{NM}.Device.Infiniband": values(Carrier="true", HwAddress=text("80:00"))}


class Active(dict):
    """An active connection."""

    def __init__(self, profile, name, devices, state=2, uuid=None, kind="infiniband", **more):
        entries = {"Connection": o("Settings", profile), "Id": text(name), "Uuid": text(uuid or UUID % profile),
                   "Type": text(kind), "Devices": paths("Devices", devices), "State": f"uint32 {state}", "StateFlags":
                   "uint32 12", "Default": "false", "Default6": "false", "Vpn": "false", "SpecificObject": o("", 0),
                   "Ip4Config": o("", 0), "Ip6Config": o("", 0), "Dhcp4Config": o("", 0), "Dhcp6Config": o("", 0),
                   "Master": o("", 0), **more}
        super().__init__({f"{NM}.Connection.Active": values(**entries)})


def profile(number, name, kind="infiniband", **more):
    return dictionary({"connection": values(id=text(name), uuid=text(UUID % number), type=text(kind), **more),
                       kind: values(transport_mode="'datagram'"), "ipv4": values(method="'auto'"),
                       "ipv6": values(method="'auto'"), "proxy": values()})


# To 1.42 there is the address only.
URIS = ("10.0.0.53", {"address": text("10.0.1.53"), "uri": text("dns+tls://10.0.1.53#a.b")}, {"uri": text("dns+udp://10.0.2.53")})
PROFILES = {
    1: profile(1, "plain", interface_name="'ib0'", zone="'trusted'"),
    2: profile(2, "twice", multi_connect="3"),
    3: profile(3, "idle"),
    4: profile(4, "coming:up ü\\"),
    5: dictionary({"connection": values(id="'wired'", uuid=text(UUID % 5), type="'802-3-ethernet'"),
                   "802-3-ethernet": values(), "ipv4": values(method="'auto'"), "ipv6": values(method="'auto'")}),
    6: profile(6, "port", master="'bond0'", slave_type="'bond'"),
}
ACTIVE = {
    1: Active(1, "plain", [1], Default="true", Default6="true", Ip4Config=o("IP4Config", 1), Ip6Config=o("IP6Config", 1),
              Dhcp4Config=o("DHCP4Config", 1), Dhcp6Config=o("DHCP6Config", 1)),
    2: Active(2, "twice", [2], state=3, Ip4Config=o("IP4Config", 2)),
    3: Active(2, "twice", [3], Ip4Config=o("IP4Config", 2)),
    4: Active(4, "coming:up ü\\", [4, 1], state=1, SpecificObject=o("Something", 7)),
    5: Active(5, "wired", [5], kind="802-3-ethernet", Ip4Config=o("IP4Config", 3)),
    6: Active(6, "port", [6], state=4, Master=o("Devices", 1), Dhcp4Config=o("DHCP4Config", 2)),
    10: Active(2, "twice", [7], Default="true", Ip4Config=o("IP4Config", 1)),
    11: Active(2, "twice", [], state=7),
    12: Active(2, "twice", [3], StateFlags="uint32 140", Default="true", Ip4Config=o("IP4Config", 1)),  # external
    13: Active(2, "twice", [2], StateFlags="uint32 128", state=1),
    14: Active(2, "twice", [], StateFlags="uint32 128", state=7),
    **{n: Active(5, "wired", [5], kind="802-3-ethernet") for n in range(100, 165)},  # more than are asked about at once
    165: Active(2, "twice", [2]),
}
OBJECTS = {
    ROOT: {NM: values(Version="'VERSION'", State="uint32 70", NetworkingEnabled="true", Startup="false",
                      Devices=paths("Devices", range(1, 8)), AllDevices=paths("Devices", range(1, 8)),
                      ActiveConnections=paths("ActiveConnection", ACTIVE))},
    f"{ROOT}/Settings": {f"{NM}.Settings": values(Connections=paths("Settings", PROFILES), CanModify="true")},
    **{path("Settings", n): {f"{NM}.Settings.Connection": values(Unsaved="false", Flags="uint32 0", Filename=f"'/x/{n}'")}
       for n in PROFILES},
    **{path("ActiveConnection", n): a for n, a in ACTIVE.items()},
    **{path("Devices", n): device(n, f"ib{n - 1}") for n in range(1, 7)},
    path("Devices", 7): device(7, "ib6", ""),
    path("IP4Config", 1): ip4(
        address("10.0.0.1", 24), address("10.0.1.1", 16), gateway="10.0.0.254", dns=URIS,
        domains=("example.com",), searches=("a.example", "b.example"), wins=("10.0.0.137",),
        routes=(route("10.0.0.0", 24, metric="uint32 150"), route("0.0.0.0", 0, next_hop="'10.0.0.254'", metric="uint32 0"),
                route("10.9.0.0", 16, next_hop="'10.0.0.2'", table="uint32 7", mtu="uint32 2000"),
                route("10.8.0.0", 16, metric="uint32 4294967295", src="'10.0.0.1'", type="'local'"))),
    path("IP4Config", 2): ip4(),
    path("IP4Config", 3): ip4(address("192.0.2.1", 24)),
    path("IP6Config", 1): ip6(
        address("fe80::1", 64), gateway="fe80::ff", dns=(bytes.fromhex("20010db8" + "00" * 11 + "35"),), searches=("c",),
        routes=(route("fe80::", 64, metric="uint32 1024"), route("2001:db8::", 32, next_hop="'fe80::2'"))),
    path("DHCP4Config", 1): {f"{NM}.DHCP4Config": values(Options=values(
        routers="'10.0.0.254'", ip_address="'10.0.0.1'", expiry="'1700000000'", zz="uint32 5", domain_name="'a:b\\\\c'",
        broadcast_address="''"))},
    path("DHCP4Config", 2): {f"{NM}.DHCP4Config": values(Options="@a{sv} {}")},
    path("DHCP6Config", 1): {f"{NM}.DHCP6Config": values(Options=values(dhcp6_client_id="'00:01'"))},
}

MODES = ((), ("-t",), ("-p",), ("-m", "tabular"), ("-t", "-m", "tabular"), ("-p", "-m", "tabular"), ("-c", "yes"),
         ("-e", "no", "-t", "-m", "tabular"), ("-s",))
FIELDS = ("GENERAL", "general.name", "IP4", "ip4.address", "IP4.GATEWAY,IP6.DNS", "DHCP4", "DHCP4.OPTION", "DHCP6", "IP6",
          "active", "profile", "all", "common", "Active", "infiniband,GENERAL", "GENERAL.DEVICES,infiniband.mtu",
          "GENERAL.BOGUS", "IP6.WINS", "infiniband.bogus,GENERAL.BOGUS", "infiniband,GENERAL.BOGUS", "GENERAL,active",
          "active,IP4", "infiniband,profile", "profile,active", "GENERAL,GENERAL,IP4", "all,GENERAL", "GENERAL.")


def show(*words, before=()):
    return Vector((*before, "connection", "show", *words))


def vectors():
    for name in ("plain", "twice", "idle", "coming:up ü\\", "port"):
        for mode in MODES:
            yield show(name, before=mode)
    for field in FIELDS:
        for mode in MODES[:6]:
            yield show("plain", before=(*mode, "-f", field))
        for name in ("plain", "twice", "idle", "port"):
            yield show(name, before=("-g", field))
    for words in ("plain twice", "plain idle port", "apath 1", "apath 10", "apath 99", "apath", "apath x apath 1",
                  f"{ROOT}/ActiveConnection/3", f"{ROOT}/ActiveConnection/99", f"apath {ROOT}/ActiveConnection/6",
                  "--active plain", "--active idle", "--active idle plain", "-a plain", "--active nothere", "-s --active twice",
                  "--active", "id plain apath 1", "plain nothere", "path 1 path 2", "uuid " + UUID % 2):
        yield show(*words.split())
        yield show(*words.split(), before=("-g", "GENERAL.NAME,infiniband.mtu"))
        yield show(*words.split(), before=("-f", "infiniband.bogus"))


@contextlib.contextmanager
def recorded(program, nmcli):
    version = subprocess.run([nmcli, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    objects = dictionary({k: dictionary(v) for k, v in OBJECTS.items()})
    profiles = dictionary({path("Settings", n): p for n, p in PROFILES.items()})
    with open("/run/recorded", "w", encoding="utf-8") as f:
        f.write(f"({objects}, {profiles})".replace("VERSION", version))
    with subprocess.Popen([program, "/run/recorded"]) as daemon:
        sandbox.wait_for("the recorded daemon", lambda: daemon.poll() is not None or subprocess.run(
            [nmcli, "-t", "-f", "RUNNING", "general"], capture_output=True, check=False).stdout.strip() == b"running")
        try:
            yield
        finally:
            daemon.terminate()


def main():
    nmcli, command, program = sandbox.enter(), sys.argv[1], sys.argv[2]
    bad = count = lines = 0
    with sandbox.bus(), recorded(program, nmcli):
        for vector in vectors():
            reference, ours = compare.run(nmcli, vector), compare.run(command, vector)
            count += 1
            lines += reference.out.count("\n")
            lists = vector.args[-1] == "--active"
            if compare.HANDED_OVER in ours.err if lists else reference == ours:
                continue
            bad += 1
            compare.show(vector, reference, ours)
    print(f"{count - bad} of {count} are the same, {lines} lines")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
