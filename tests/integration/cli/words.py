#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""words.py NM-IB: words of nmcli and words of nm-ib: completion, help and errors, on the real NetworkManager."""
import os
import re
import subprocess
import sys
import time
import unittest

import compare
import live
import sandbox
from vectors import Vector

NMCLI, NM_IB = sandbox.enter(), sys.argv.pop(1)
SLOWER = int(os.environ.get("NMIB_SLOWER", "1"))
OBJECTS = ("plan", "apply", "name", "port", "doctor", "check", "host")
OPTIONS = ("--strict", "--with-parent")


def both(*words):
    return (compare.run(command, Vector(words)) for command in (NMCLI, NM_IB))


def completed(command, words):
    """Returns the exit code, which shows whether files are completed, and the words."""
    done = subprocess.run([command, "--complete-args", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


class OnDaemon(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.fixtures = live.Fixtures(NMCLI)
        self.fixtures.reset()

    def refused(self, words, code, line, stdin=None):
        """Checks that the command fails with one line that begins with `line`, without output, and saves nothing."""
        before = live.stored()
        answer = compare.run(NM_IB, Vector(words, stdin))
        self.assertEqual((answer.code, answer.out), (code, ""), answer)
        self.assertRegex(answer.err, rf"\A{line}.*\n\Z")
        self.assertEqual(live.stored(), before)


class Completion(OnDaemon):
    def setUp(self):
        super().setUp()
        sandbox.write_profile("id", live.profile(80, "id", more="interface-name=ib12\n"))
        subprocess.run([NMCLI, "connection", "reload"], check=True)

    def test_all_words_of_nmcli_are_completed(self):
        add, modify = ("connection", "add", "type", "infiniband"), ("connection", "modify", "plain")
        for words in (("",), ("c",), ("--",), ("-",), ("-m", ""), ("-f", ""), ("d", ""), ("device", "status", ""), ("pl",),
                      ("--offline", ""), ("--offline", "c", "add", ""),
                      ("connection", ""), ("connection", "show", ""), ("connection", "show", "-"), ("connection", "show", "--order", ""),
                      ("connection", "show", "id", ""), ("connection", "up", ""), ("-g", "", "connection", "show", "plain"),
                      ("connection", "modify", ""), ("connection", "modify", "-"), ("connection", "modify", "--temporary", ""),
                      ("connection", "modify", "id", ""), ("connection", "modify", "id", "id", ""), ("connection", "modify", "uuid", ""),
                      ("connection", "modify", "wired", ""), ("connection", "modify", "wired", "802-3-ethernet."),
                      modify + ("",), modify + ("infiniband.",), modify + ("+ipv4.d",), modify + ("connection.id", ""),
                      modify + ("remove", ""), modify + ("ipv4.dns", "8.8.8.8", ""),
                      modify + ("infiniband.transport-mode", ""), modify + ("ipv4.method", ""), modify + ("infiniband.p-key", "", ""),
                      ("connection", "add", ""), ("connection", "add", "type", ""), ("connection", "add", "type", "in"), add + ("",), add + ("i",),
                      add + ("ifname", ""), add + ("transport-mode", ""), add + ("p-key", ""), add + ("parent", ""), add + ("mac", ""),
                      add + ("infiniband.m",), add + ("autoconnect", ""), add + ("slave-type", ""), add + ("master", ""), add + ("--strict", ""),
                      ("connection", "add", "type", "bond", ""), ("connection", "import", "type", "vpn", "file", ""), ("connection", "load", "")):
            with self.subTest(words=words):
                (code, theirs), (own_code, ours) = completed(NMCLI, words), completed(NM_IB, words)
                self.assertEqual(own_code, code)
                if "--strict" not in words: # nmcli completes nothing after it
                    self.assertLessEqual(set(theirs), set(ours))

    def test_own_words_are_completed(self):
        add, modify = ("connection", "add", "type", "infiniband"), ("connection", "modify", "plain")
        for words, wanted in ((("",), OBJECTS), (("pl",), ("plan",)), (("plan", ""), ("plain", "--json")), (("name", ""), ("set",)),
                              (add + ("",), (*OPTIONS, "p-key", "parent", "ifname")), (add + ("--",), OPTIONS), (add + ("p-key", ""), ("default",)),
                              (add + ("--strict", "p-"), ("p-key",)), (add + ("ifname", "ib9", "--w"), ("--with-parent",)),
                              (modify + ("",), ("--strict", "infiniband.p-key")), (modify + ("mtu", "1500", "--"), ("--strict",))):
            with self.subTest(words=words):
                self.assertLessEqual(set(wanted), set(completed(NM_IB, words)[1]))

    def test_own_words_are_not_completed_elsewhere(self):
        for words in (("connection", "modify", "wired", ""), ("connection", "add", "type", "dummy", ""), ("connection", "show", "")):
            self.assertEqual(set(completed(NM_IB, words)[1]) & {*OPTIONS, *OBJECTS}, set())


class NmcliInTrouble(OnDaemon):
    ADD = ("connection", "add", "type", "infiniband", "con-name", "k", "ifname", "ib9", "autoconnect", "no")
    MODIFY = ("connection", "modify", "plain", "mtu", "1500")
    OFFLINE_MODIFY = ("--offline", "connection", "modify", "mtu", "1500")

    def everywhere(self, script, line, *which):
        with sandbox.instead_of_nmcli(f'case " $* " in *" --offline "*) {script};; *) exec "$REAL" "$@";; esac'):
            for words in which or (self.ADD, self.MODIFY, ("--offline", *self.ADD), self.OFFLINE_MODIFY):
                start = time.monotonic()
                self.refused(words, 1, line, live.FIXTURES["plain"])
                yield time.monotonic() - start

    def test_crash_of_nmcli_is_reported(self):
        list(self.everywhere("kill -SEGV $$", r"Error: nmcli ended by signal 11 \(Segmentation fault\)"))

    def test_hanging_nmcli_is_ended(self):
        for took in self.everywhere("exec sleep 60", "Error: nmcli ", self.ADD, self.OFFLINE_MODIFY):
            self.assertGreater(took, 9)
            self.assertLess(took, 13 * SLOWER)

    def test_output_that_is_no_profile_is_refused(self):
        for text in ("rubbish", r"[connection]\nid=\377\n", ""):
            for _ in self.everywhere(f"printf '{text}'", "Error: "):
                pass

    def test_missing_nmcli_is_reported(self):
        with sandbox.instead_of_nmcli(""):
            os.chmod(NMCLI, 0o644)
            for words in (self.ADD, self.MODIFY, ("connection", "show", "plain")):
                self.refused(words, 1, "Error: .*not installed")

    def test_crash_of_the_installed_nmcli_is_reported(self):
        for words, stdin in ((("--offline", "connection", "add", "type", "infiniband", "connection.secondaries", "foo"), None),
                             (("--offline", "connection", "modify", "connection.secondaries", "foo"), live.FIXTURES["plain"])):
            reference, ours = (compare.run(command, Vector(words, stdin)) for command in (NMCLI, NM_IB))
            if reference.code >= 0: # a newer nmcli, which does not crash
                self.assertEqual(ours, reference)
                continue
            self.assertEqual((ours.code, ours.out), (1, ""))
            self.assertRegex(ours.err, r"(?m)^Error: nmcli ended by signal 11 \(Segmentation fault\)")


class OwnOptions(OnDaemon):
    def test_own_options_are_refused_with_other_commands(self):
        for option in OPTIONS:
            for words in (("connection", "modify", "wired", "ipv4.method", "auto", option), ("connection", "modify", option, "wired", "mtu", "1400"),
                          ("connection", "add", "type", "dummy", "ifname", "d0", option), (option, "connection", "add", "type", "dummy", "ifname", "d0"),
                          ("--offline", "connection", "add", "type", "dummy", "ifname", "d0", "--strict"), ("connection", "up", "plain", option)):
                with self.subTest(words=words):
                    self.refused(words, 2, "Error: --strict and --with-parent")

    def test_error_of_nmcli_is_unchanged_with_own_options(self):
        """Also on the daemon, the error comes from nmcli offline: nmcli without --strict would save the profile."""
        for words in (("add", "type", "infiniband", "mtu", "x"), ("add", "type", "infiniband", "bogus", "x"), ("add", "type", "infiniband", "ipv4.method", "manual"),
                      ("modify", "plain", "mtu", "x"), ("modify", "plain", "ipv4.method", "manual")):
            offline = [w for w in words if w != "plain"]
            reference = compare.run(NMCLI, Vector(("--offline", "connection", *offline), live.FIXTURES["plain"]))
            for option in OPTIONS:
                with self.subTest(words=words, option=option):
                    self.assertEqual(compare.run(NM_IB, Vector(("connection", *words, option))), reference)
        self.refused(("connection", "modify", "nothere", "mtu", "1", "--strict"), 10, "Error: unknown connection 'nothere'")


class Help(OnDaemon):
    def test_help_has_own_part_then_nmclis(self):
        for word in ("help", "-h", "--help"):
            theirs, ours = both(word)
            own, _, rest = (ours.out + ours.err).partition(theirs.out + theirs.err)
            self.assertEqual((ours.code, rest), (0, "\n"))
            for text in OBJECTS + OPTIONS:
                self.assertIn(text, own)
            self.assertLess(max(map(len, own.splitlines())), 81)

    def test_each_page_fits_and_explains_its_options(self):
        for verb in OBJECTS:
            page = compare.run(NM_IB, Vector((verb, "help"))).out
            self.assertLess(max(map(len, page.splitlines())), 81, page)
            usage, _, rest = page.partition("\n\n")
            for option in set(re.findall(r"\[(--?[a-z0-9-]+)", usage)):
                self.assertRegex(rest, rf"(?m)^  {option}( |$)")

    def test_help_works_without_nmcli(self):
        with sandbox.instead_of_nmcli("exit 1"):
            os.chmod(sandbox.NMCLI, 0o644)
            self.assertTrue(compare.run(NM_IB, Vector(("help",))).out.startswith("Usage: nm-ib"))

    def test_typing_error_has_a_suggestion(self):
        for words, meant in ((("doktor",), "doctor"), (("prot", "show"), "port"), (("port", "ib0"), "port show ib0"),
                             (("name", "sett"), "name set"), (("host", "mem-lock"), "host memlock")):
            answer = compare.run(NM_IB, Vector(words))
            self.assertEqual((answer.code, answer.out), (2, ""), words)
            self.assertIn(f"Did you mean:\n  nm-ib {meant}\n", answer.err)
        for words in (("conection",), ("devise", "show"), ("x",)): # errors of nmcli itself
            self.assertEqual(*both(*words))

    def test_json_is_accepted_at_any_place(self):
        expected = compare.run(NM_IB, Vector(("port", "list", "--json")))
        for words in (("--json", "port"), ("port", "--json", "list"), ("--json", "port", "list"), ("port", "--json")):
            self.assertEqual(compare.run(NM_IB, Vector(words)), expected)
        self.assertEqual(compare.run(NM_IB, Vector(("--json", "device"))).code, 2)

    def test_version_has_both_programs(self):
        theirs, ours = both("--version")
        self.assertEqual((ours.code, ours.err), (0, ""))
        self.assertRegex(ours.out, rf"\A{theirs.out}nm-ib .*\d.*\n\Z")

    def test_each_verb_has_help(self):
        for verb in OBJECTS:
            for word in ("help", "-h", "--help"):
                ours = compare.run(NM_IB, Vector((verb, word)))
                self.assertEqual((ours.code, ours.err), (0, ""), (verb, word))
                self.assertIn(f"nm-ib {verb}", ours.out)
        for verb in ("add", "modify"):
            for word in ("help", "-h", "--help"):
                theirs, ours = both("connection", verb, word)
                if theirs.code: # nmcli has no -h here
                    continue
                self.assertEqual(ours.code, 0)
                self.assertIn(theirs.out + theirs.err, ours.out + ours.err)
                for option in OPTIONS[:1 if verb == "modify" else 2]:
                    self.assertIn(option, ours.out)


class Controllers(OnDaemon):
    PORTS = ("master bond0", "master bond", "slave-type bond master bond0", "master bond0 slave-type bond", "master id/bond slave-type bond",
             "controller id/bond", "controller bond0 port-type bond", "connection.slave-type bond connection.master bond0",
             "connection.controller bond0 connection.port-type bond", "slave-type bond master ifname/bond0")

    def test_controller_is_found_as_by_nmcli(self):
        for words in self.PORTS:
            for command in (("add", "type", "infiniband", "con-name", "port", "ifname", "ib10", "autoconnect", "no"), ("modify", "plain")):
                with self.subTest(command=command[0], words=words):
                    vector = Vector(("connection", *command, *words.split()))
                    self.assertEqual(self.fixtures.run(NM_IB, vector), self.fixtures.run(NMCLI, vector))

    def test_other_bond_mode_is_refused_with_strict(self):
        subprocess.run([NMCLI, "connection", "modify", "bond", "bond.options", "mode=balance-rr"], check=True)
        for words in ("slave-type bond master bond0", "master id/bond slave-type bond"):
            for command in (("add", "type", "infiniband", "autoconnect", "no"), ("modify", "plain")):
                _, ours = both("connection", *command, "--strict", *words.split())
                self.assertIn("nm-ib: bond 'bond' has mode balance-rr: InfiniBand ports work in active-backup", ours.err.replace("warning: ", ""))


if __name__ == "__main__":
    with sandbox.bus(), sandbox.network_manager(NMCLI):
        unittest.main()
