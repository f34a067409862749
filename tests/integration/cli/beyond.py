#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""beyond.py NM-IB: repairs and warnings of nm-ib where nmcli refuses or prints nothing, on the real NetworkManager."""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import threading
import unittest

import compare
import live
import sandbox
from vectors import MAC, Vector

NMCLI, NM_IB = sandbox.enter(), sys.argv.pop(1)
# NetworkManager up to 1.42 refuses a name that does not match the P_Key; later versions replace it.
NAMES_ARE_REFUSED = sandbox.minor(NMCLI) < 44
PARENT_NEEDS_KEY = sandbox.minor(NMCLI) >= 54
GUID = "f4:52:14:03:00:7b:e1:b1"


def nm_ib(*words, stdin=None):
    return compare.run(NM_IB, Vector(words, stdin))


def stored(name):
    for path in glob.glob(sandbox.PROFILES + "/*"):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if f"id={name}\n" in text:
            return text
    return None


def field(name, which):
    return compare.run(NMCLI, Vector(("-g", which, "connection", "show", name))).out.strip()


class OnDaemon(unittest.TestCase):
    def setUp(self):
        live.Fixtures(NMCLI).reset()

    def ok(self, *words):
        answer = nm_ib(*words)
        self.assertEqual(answer.code, 0, answer)
        return answer


class PKeyFollows(OnDaemon):
    def test_documented_sequence_sets_parent_and_name(self):
        self.ok("connection", "add", "type", "infiniband", "con-name", "mlx4_ib0", "ifname", "mlx4_ib0",
                "transport-mode", "connected", "mtu", "65520", "autoconnect", "no")
        answer = self.ok("connection", "modify", "mlx4_ib0", "infiniband.p-key", "0x8002")
        self.assertEqual(answer.out, "")
        self.assertIn("nm-ib: 'mlx4_ib0': infiniband.parent set to mlx4_ib0\n", answer.err)
        self.assertIn("connection.interface-name set to mlx4_ib0.8002", answer.err)
        self.assertEqual(field("mlx4_ib0", "infiniband.p-key,infiniband.parent,connection.interface-name").split("\n"),
                         ["0x8002", "mlx4_ib0", "mlx4_ib0.8002"])
        self.assertIn("mtu=65520\n", stored("mlx4_ib0"))

    def test_interface_name_follows_later_changes(self):
        for word, value, name in (("p-key", "0x8002", "ib0.8002"), ("p-key", "0x8003", "ib0.8003"), ("parent", "ib1", "ib1.8003")):
            answer = self.ok("connection", "modify", "plain", f"infiniband.{word}", value)
            self.assertIn(f"nm-ib: 'plain': connection.interface-name set to {name}, to match P_Key", answer.err)
            self.assertEqual(field("plain", "connection.interface-name"), name)

    def test_given_name_is_not_replaced(self):
        answer = nm_ib("connection", "modify", "plain", "infiniband.p-key", "2", "infiniband.parent", "ib0", "ifname", "x")
        if NAMES_ARE_REFUSED:
            self.assertEqual(answer.code, 1)
            self.assertIn("must be 'ib0.0002' or unset (instead it is 'x')", answer.err)
            self.assertIn("interface-name=ib0\n", stored("plain"))
        else:
            self.assertIn("nm-ib: warning: interface-name x does not match P_Key 0x0002: NetworkManager uses ib0.0002 instead\n", answer.err)
            self.assertIn("interface-name=ib0.0002\n", stored("plain"))

    def test_name_for_a_long_parent_is_removed(self):
        self.ok("connection", "modify", "plain", "ifname", "mlx4_ib0_long")
        self.ok("connection", "modify", "plain", "infiniband.p-key", "0x8002")
        self.assertNotIn("interface-name", stored("plain"))
        self.assertIn("parent=mlx4_ib0_long\n", stored("plain"))

    def test_impossible_key_is_refused_as_by_nmcli(self):
        vector = Vector(("connection", "modify", "plain", "infiniband.p-key", "0x8000"))
        self.assertEqual(compare.run(NM_IB, vector), compare.run(NMCLI, vector))


class PKeyWarnings(OnDaemon):
    def add(self, key, *more):
        return nm_ib("connection", "add", "type", "infiniband", "con-name", "k", "autoconnect", "no", "parent", "ib0",
                     "p-key", key, *more)

    def test_decimal_and_octal_keys_are_warned_about(self):
        self.assertIn("nm-ib: warning: p-key 8002 is decimal, P_Key 0x1f42; for P_Key 0x8002, add 0x", self.add("8002").err)
        self.assertIn("p-key=8002\n", stored("k"))
        self.assertIn("p-key 010 is octal, P_Key 0x0008", self.add("010").err)

    def test_valid_keys_are_not_warned_about(self):
        for key in ("0x8002", "32770", "-1"):
            answer = self.add(key)
            self.assertEqual(answer.code, 4 if key == "-1" and PARENT_NEEDS_KEY else 0, answer)
            self.assertNotRegex(answer.err, "decimal|octal|full-membership bit", key)

    def test_incomplete_keyfile_is_checked_offline(self):
        text = "[connection]\nid=k\ntype=infiniband\n[infiniband]\np-key=32770\nparent=ib0\ntransport-mode=datagram\n"
        answer = nm_ib("--offline", "connection", "modify", "p-key", "8002", "mtu", "65521", "--strict", stdin=text)
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("nm-ib: p-key 8002 is decimal", answer.err)

    def test_limited_key_is_warned_about(self):
        self.assertIn("P_Key 0x0002 has no full-membership bit: the kernel makes ib0.0002 with P_Key 0x8002",
                      self.add("2").err)
        self.assertIn("p-key=2\n", stored("k"))

    def test_limited_key_of_the_parents_partition_is_warned_about(self):
        self.assertIn("; use 0x8002 instead", self.add("2").err)
        self.assertIn("full-membership bit", answer := self.add("0x7fff").err)
        self.assertNotIn("avoids", answer)

    def test_strict_saves_nothing(self):
        answer = self.add("2", "--strict")
        self.assertEqual((answer.code, answer.out, stored("k")), (1, "", None))
        self.assertIn("nothing was saved", answer.err)
        self.assertEqual(self.add("0x8002", "--strict").code, 0)


class PartsThatDoNotFit(OnDaemon):
    """Profiles that NetworkManager accepts, and activates differently than written."""

    def modify(self, *words):
        return nm_ib("connection", "modify", "child", *words)

    def test_key_and_mac_without_parent_are_warned_about(self):
        words = ("connection", "add", "type", "infiniband", "con-name", "k", "autoconnect", "no", "p-key", "0x8002",
                 "mac", MAC)
        answer = self.ok(*words)
        self.assertIn("nm-ib: warning: P_Key 0x8002 with a mac-address and no parent: NetworkManager activates", answer.err)
        self.assertNotIn("no parent", self.ok(*words, "parent", "ib0").err)
        subprocess.run([NMCLI, "connection", "delete", "k"], check=True, capture_output=True)
        answer = nm_ib(*words, "--strict")
        self.assertEqual((answer.code, answer.out, stored("k")), (1, "", None))

    def test_removed_parent_is_warned_about(self):
        answer = self.modify("infiniband.parent", "", "mac", MAC)
        self.assertEqual(answer.code, 0, answer)
        self.assertIn("nm-ib: warning: P_Key 0x8002 with a mac-address and no parent", answer.err)
        live.Fixtures(NMCLI).reset()
        self.ok("connection", "modify", "child", "ifname", "ib0.8002")
        vector = Vector(("connection", "modify", "child", "infiniband.parent", ""))
        self.assertEqual(compare.run(NM_IB, vector), compare.run(NMCLI, vector))
        self.assertIn("parent=ib0\n", stored("child"))

    def test_removed_key_is_warned_about(self):
        self.ok("connection", "modify", "child", "ifname", "ib0.8002")
        answer = self.modify("infiniband.p-key", "", "--strict")
        self.assertEqual(answer.code, 1, answer)
        self.assertIn("p-key=32770\n", stored("child"))
        answer = self.modify("infiniband.p-key", "")
        if PARENT_NEEDS_KEY:
            self.assertEqual(answer, compare.run(NMCLI, Vector(("connection", "modify", "child", "infiniband.p-key", ""))))
            return
        self.assertEqual(answer.code, 0, answer)
        self.assertIn("nm-ib: warning: parent ib0 has no effect without a p-key", answer.err)
        self.assertIn("nm-ib: warning: interface-name ib0.8002 exists only for a profile with a p-key", answer.err)
        answer = self.modify("infiniband.parent", "", "ifname", "ib0")
        self.assertEqual((answer.code, answer.err), (0, ""))

    def test_name_of_a_child_sets_no_parent(self):
        self.ok("connection", "modify", "plain", "ifname", "ib0.8002")
        vector = Vector(("connection", "modify", "plain", "infiniband.p-key", "0x8003"))
        self.assertEqual(compare.run(NM_IB, vector), compare.run(NMCLI, vector))


class Parents(OnDaemon):
    def add(self, parent, *more):
        return self.ok("connection", "add", "type", "infiniband", "con-name", "k", "autoconnect", "no", "parent", parent,
                       "p-key", "0x8002", *more)

    def setUp(self):
        super().setUp()
        for name in ("editor", "twin1", "twin2", "odd", "bonded"):  # profiles for any port
            os.unlink(f"{sandbox.PROFILES}/{name}.nmconnection")
        subprocess.run([NMCLI, "connection", "reload"], check=True)

    def test_missing_parent_profile_is_reported_by_add(self):
        self.assertIn("no profile activates the parent ib5; to add a profile, use --with-parent", self.add("ib5").err)
        self.assertNotIn("parent;", self.add("ib0").err)
        answer = self.add("ib6", "--with-parent")
        self.assertRegex(answer.out, r"Connection 'k' \(UUID\) successfully added.\nConnection 'infiniband-ib6' \(UUID\) succ")
        self.assertIn("interface-name=ib6\n", stored("infiniband-ib6"))
        self.assertNotIn("infiniband-ib6", self.add("ib6", "--with-parent").out)

    def test_missing_parent_profile_is_reported_by_modify(self):
        words = ("connection", "modify", "plain", "infiniband.p-key", "0x8002")
        self.assertIn("no profile activates the parent ib0; to add a profile, use --with-parent", self.ok(*words).err)
        later = ("connection", "modify", "plain", "mtu", "1500")
        self.assertEqual(self.ok(*later).err, "")
        self.assertRegex(self.ok(*later, "--with-parent").out, r"^Connection 'infiniband-ib0' \(UUID\) successfully added.\n$")
        self.assertIn("interface-name=ib0\n", stored("infiniband-ib0"))
        self.assertEqual(self.ok(*words).err, "")
        self.assertEqual(self.ok("connection", "modify", "child", "mtu", "1500").err, "")

    def test_profile_for_any_port_counts_among_many(self):
        for number in range(100):  # without interface-name, like profiles of the Ansible network role
            sandbox.write_profile(f"role{number}", live.profile(100 + number, f"role{number}", f"p-key={number + 1}\nparent=ib6\n"))
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        self.assertIn("no profile activates the parent ib6", self.add("ib6").err)
        sandbox.write_profile("any", live.profile(200, "any"))
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        self.assertNotIn("no profile activates the parent", self.add("ib6").err)

    def test_refused_child_leaves_no_parent(self):
        words = ("connection", "add", "type", "infiniband", "con-name", "k", "autoconnect", "no", "parent", "ib6", "--with-parent")
        for more in (("p-key", "0x8000"), ("p-key", "0x8002", "ipv4.method", "manual"), ("p-key", "0x8002", "ifname", "foo")):
            if more[-1] == "foo" and not NAMES_ARE_REFUSED:
                continue
            answer = nm_ib(*words, *more)
            self.assertIn(answer.code, (1, 4), answer)  # refused by nmcli offline, or by the daemon
            self.assertEqual((answer.out, stored("infiniband-ib6")), ("", None), answer)
        space = os.statvfs(sandbox.PROFILES)  # room for one more file
        self.remount(f"nr_inodes={space.f_files - space.f_ffree + 1}")
        try:
            answer = nm_ib(*words, "p-key", "0x8002")
        finally:
            self.remount("nr_inodes=0")
        self.assertEqual((answer.code, answer.out, stored("infiniband-ib6")), (4, "", None), answer)
        self.assertEqual(nm_ib("connection", "show", "infiniband-ib6").code, 10)

    @staticmethod
    def remount(option):
        subprocess.run(["mount", "-o", f"remount,{option}", "/etc/NetworkManager"], check=True)

    def test_own_options_elsewhere_are_refused(self):
        for words in (("--offline", "connection", "add", "type", "infiniband", "parent", "ib0", "p-key", "0x8002", "--with-parent"),
                      ("connection", "show", "--with-parent", "plain"), ("connection", "show", "plain", "--strict"),
                      ("--strict", "plan"), ("apply", "lo", "--strict")):
            answer = nm_ib(*words)
            self.assertEqual((answer.code, answer.out), (2, ""), answer)
            self.assertRegex(answer.err, "^Error: --(strict and --)?with-parent: ")


class Guids(OnDaemon):
    def test_every_spelling_of_a_guid_is_accepted(self):
        for text in (GUID, GUID.replace(":", "-"), GUID.replace(":", ""), "0x" + GUID.replace(":", "").upper(),
                     "f452:1403:007b:e1b1"):
            self.ok("connection", "modify", "plain", "infiniband.mac-address", text)
            self.assertIn("mac-address=80:00:00:00:FE:80:00:00:00:00:00:00:F4:52:14:03:00:7B:E1:B1\n", stored("plain"))
        self.assertEqual(self.ok("connection", "modify", "plain", "mac", MAC).err, "")


class Bonds(OnDaemon):
    def test_other_bond_mode_is_warned_about(self):
        words = ("connection", "add", "type", "infiniband", "autoconnect", "no", "slave-type", "bond", "master", "bond0")
        self.assertNotIn("active-backup", self.ok(*words).err)
        for mode in ("balance-rr", "802.3ad"):
            subprocess.run([NMCLI, "connection", "modify", "bond", "bond.options", f"mode={mode}"], check=True)
            self.assertIn(f"bond 'bond' has mode {mode}: InfiniBand ports work in active-backup", self.ok(*words).err)


class ManyProfiles(OnDaemon):
    """A name selects the same profile as in nmcli, whatever has happened to the files."""

    def test_changed_files_do_not_change_the_selection(self):
        sandbox.write_many(60)
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        self.ok("connection", "modify", "p7", "infiniband.mtu", "2000")
        self.assertIn("mtu=2000\n", stored("p7"))

        subprocess.run([NMCLI, "connection", "modify", "p8", "connection.id", "modified"], check=True)
        subprocess.run([NMCLI, "connection", "delete", "p9"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([NMCLI, "connection", "clone", "p10", "p11"], check=True, stdout=subprocess.DEVNULL)
        path = f"{sandbox.PROFILES}/p12.nmconnection"
        with open(path, "r+", encoding="utf-8") as f:  # in place
            text = f.read()
            f.seek(0)
            f.write(text.replace("id=p12", "id=p13"))
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        os.symlink(f"{sandbox.PROFILES}/p15.nmconnection", f"{sandbox.PROFILES}/p16.nmconnection.link")
        os.unlink(f"{sandbox.PROFILES}/p14.nmconnection")  # now only the daemon has the profile
        for name, code in (("modified", 0), ("p8", 10), ("p9", 10), ("p11", 0), ("p12", 10), ("p13", 0), ("p14", 0), ("p15", 0)):
            before = live.stored()
            vector = Vector(("connection", "modify", name, "infiniband.mtu", "2000"))
            ours = compare.run(NM_IB, vector)
            self.assertEqual(ours.code, code, ours)
            after = live.stored()
            self.assertEqual(ours, compare.run(NMCLI, vector))  # changes nothing if it selects the same profile
            self.assertEqual(live.stored(), after)
            self.assertEqual(before != after, code == 0)
        added = ("connection", "add", "type", "infiniband", "ifname", "ib9", "con-name", "p13")
        self.assertIn("There are 2 other connections with the name 'p13'", self.ok(*added).err)


class WhenTheDaemonGoes(OnDaemon):
    def interrupted(self, what, *words):
        """Stops the daemon while nm-ib calls it, then sends it a signal."""
        daemon.send_signal(signal.SIGSTOP)
        killer = threading.Timer(1, lambda: daemon.send_signal(what))
        killer.start()
        answer = nm_ib(*words)
        killer.join()
        return answer

    def test_stopped_daemon_that_continues_saves(self):
        answer = self.interrupted(signal.SIGCONT, "connection", "modify", "plain", "infiniband.mtu", "1500")
        self.assertEqual(answer.code, 0)
        self.assertIn("mtu=1500\n", stored("plain"))

    def test_read_only_directory_fails_like_nmcli(self):
        subprocess.run(["mount", "-o", "remount,ro", "/etc/NetworkManager"], check=True)
        try:
            for words in (("modify", "plain", "infiniband.mtu", "1500"), ("add", "type", "infiniband", "con-name", "q")):
                vector = Vector(("connection", *words))
                ours, reference = compare.run(NM_IB, vector), compare.run(NMCLI, vector)
                self.assertEqual((ours.code, ours.out), (reference.code, reference.out))
                self.assertEqual(*(re.sub(r"nmconnection\.\w+", "FILE", a.err) for a in (ours, reference)))
        finally:
            subprocess.run(["mount", "-o", "remount,rw", "/etc/NetworkManager"], check=True)


class ZTheDaemonDies(unittest.TestCase):
    """Must be the last class: ends the daemon."""

    def test_killed_daemon_is_reported_as_not_running(self):
        daemon.send_signal(signal.SIGSTOP)
        killer = threading.Timer(1, daemon.kill)
        killer.start()
        answer = nm_ib("connection", "modify", "plain", "infiniband.mtu", "1500")
        killer.join()
        self.assertEqual((answer.code, answer.err), (8, "Error: NetworkManager is not running.\n"))
        for words in (("modify", "plain", "infiniband.mtu", "1500"), ("modify", "nothere", "mtu", "x"), ("add", "type", "infiniband")):
            vector = Vector(("connection", *words))
            self.assertEqual(compare.run(NM_IB, vector), compare.run(NMCLI, vector))


class Plan(unittest.TestCase):
    def test_plan_without_interfaces(self):
        self.assertEqual(nm_ib("plan").out, "No InfiniBand interface found.\n")
        self.assertEqual(json.loads(nm_ib("plan", "--json").out)["interfaces"], [])
        self.assertEqual(nm_ib("plan", "nothere").code, 10)
        self.assertEqual(nm_ib("plan", "plain").code, 10)
        self.assertEqual(nm_ib("plan", "wired").code, 1)
        self.assertEqual(nm_ib("plan", "--bogus").code, 2)
        with open("/dev/full", "wb") as full:
            answer = subprocess.run([NM_IB, "plan"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((answer.returncode, answer.stderr), (1, "Error: the output cannot be written.\n"))
        self.assertEqual(nm_ib("apply").code, 2)
        self.assertEqual(nm_ib("apply", "lo").code, 1)
        self.assertEqual(nm_ib("apply", "plain").code, 10)


class Port(unittest.TestCase):
    def test_port_without_devices(self):
        for words in (("port",), ("port", "list")):
            self.assertEqual(nm_ib(*words).out, "No RDMA device found.\n")
        self.assertEqual(nm_ib("-t", "port").out, "")
        answer = json.loads(nm_ib("port", "--json").out)
        self.assertEqual((answer["schema"], answer["hcas"], answer["ports"]), (1, [], []))
        self.assertEqual(answer["host"], os.uname().nodename)
        self.assertEqual(nm_ib("port", "show", "lo").code, 10)

    def test_doctor_without_devices(self):
        answer = nm_ib("doctor")
        out = "".join(line for line in answer.out.splitlines(True) if not line.startswith("This is a container"))
        self.assertEqual((answer.code, out, answer.err), (0, "No RDMA device found, and no profile waits for one.\n", ""))
        self.assertEqual(json.loads(nm_ib("doctor", "--json").out)["findings"], [])
        self.assertEqual(nm_ib("doctor", "lo").code, 10)
        for words in (("--bogus",), ("a", "b"), ("",), ("--merge",), ("--merge", "--json"), ("--merge", "--bogus"), ("a", "--merge", "b")):
            answer = nm_ib("doctor", *words)
            self.assertEqual((answer.code, answer.out, answer.err.startswith(("Error: ", "Usage: "))), (2, "", True), words)
        self.assertTrue(nm_ib("doctor", "help").out.startswith("Usage: nm-ib doctor"))

    def test_check_of_unreachable_peers(self):
        answer = json.loads(nm_ib("check", "127.0.0.1", "--json").out)
        self.assertEqual((answer["schema"], [s["result"] for s in answer["steps"]]), (1, ["failed"]))
        self.assertEqual(nm_ib("check", "127.0.0.1").code, 4)
        self.assertEqual(nm_ib("check", "no.such.invalid").code, 10)
        for words in ((), ("",), ("-x",), ("a", "b"), ("a", "--time"), ("a", "--time", "0"), ("a", "--at-least", "101")):
            answer = nm_ib("check", *words)
            self.assertEqual((answer.code, answer.out, answer.err.startswith(("Error: ", "Usage: "))), (2, "", True), words)
        self.assertTrue(nm_ib("check", "help").out.startswith("Usage: nm-ib check"))

    def test_port_usage_errors(self):
        for words in (("nonsense",), ("show",), ("show", "--json"), ("show", "a", "b"), ("--bogus",), ("list", "ib0"), ("show", "")):
            answer = nm_ib("port", *words)
            self.assertEqual((answer.code, answer.out, answer.err.startswith(("Error: ", "Usage: "))), (2, "", True), words)
        for words in (("help",), ("--help",), ("show", "help")):
            self.assertTrue(nm_ib("port", *words).out.startswith("Usage: nm-ib port"), words)


if __name__ == "__main__":
    with sandbox.bus(), sandbox.network_manager(NMCLI) as daemon:
        unittest.main()
