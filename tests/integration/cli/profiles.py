#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""profiles.py NM-IB: a name selects the same profile in nm-ib as in nmcli, with any content of the keyfile directories."""
import contextlib
import glob
import os
import shutil
import subprocess
import sys
import time
import unittest

import sandbox

NMCLI, NM_IB = sandbox.enter(), sys.argv.pop(1)
UUID = "c1f5ab12-7a52-4fd0-9f5b-5f8e4d8e%04x"
IN_MEMORY = "/run/NetworkManager/system-connections"
ELSEWHERE = "/run/elsewhere"
USER = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
MANY = 60


def text(number, name, uuid=None):
    return (f"[connection]\nid={name}\nuuid={uuid or UUID % number}\ntype=infiniband\nautoconnect=false\n\n"
            "[infiniband]\ntransport-mode=datagram\n\n[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n")


def write(path, content):
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="latin-1") as f:
        f.write(content)


def file(name):
    return f"{sandbox.PROFILES}/{name}.nmconnection"


def keep(number, name, of=None, uuid=None):
    write(file(of or name), text(number, name, uuid))


def clear():
    for path in glob.glob(sandbox.PROFILES + "/*") + glob.glob(IN_MEMORY + "/*"):
        os.unlink(path)


def run(command, *words, by=()):
    if by and os.path.dirname(command) != sandbox.OWN:  # other users cannot reach its directory
        command = shutil.copy(command, sandbox.OWN)
    done = subprocess.run([*by, command, *words], capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def nmcli(*words):
    return subprocess.run([NMCLI, *words], capture_output=True, text=True, check=True).stdout


def with_mtu(mtu):
    """Returns the UUIDs of the profiles with this MTU."""
    return {uuid for uuid in nmcli("-g", "uuid", "connection", "show").split()
            if nmcli("-g", "802-3-ethernet.mtu,infiniband.mtu", "connection", "show", uuid).strip() == str(mtu)}


class Names(unittest.TestCase):
    mtu = 1500

    def same(self, *words, before=lambda: None, by=()):
        """Checks that nmcli and nm-ib change the same profile, or none, with the same output."""
        answers = []
        for command in (NMCLI, NM_IB):
            before()
            Names.mtu += 1
            code, out, err = run(command, "connection", "modify", *words, "infiniband.mtu", str(self.mtu), by=by)
            answers.append((code, out, err, with_mtu(self.mtu)))
        self.assertEqual(*answers)
        return answers[1]

    @contextlib.contextmanager
    def daemon(self):
        time.sleep(3)  # the files must be older than the daemon
        with sandbox.network_manager(NMCLI):
            yield

    def setUp(self):
        clear()
        keep(1, "plain")

    def test_renamed_file_of_a_twin_is_not_reloaded(self):
        keep(2, "twin", of="a")
        keep(3, "twin", of="b")
        with self.daemon():
            for number in (2, 3):
                with self.subTest(number):
                    changed = self.same("twin", before=lambda n=number: keep(n, "other", of="ab"[n - 2]))
                    self.assertEqual((changed[0], len(changed[3])), (0, 1))
                    self.assertEqual(self.same("other", before=lambda n=number: keep(n, "other", of="ab"[n - 2]))[0], 10)
                    keep(number, "twin", of="ab"[number - 2])

    def test_name_in_a_file_alone_is_unknown(self):
        with self.daemon():
            keep(1, "edited", of="plain")
            self.assertEqual(self.same("plain", before=lambda: keep(1, "edited", of="plain"))[3], {UUID % 1})
            self.assertEqual(self.same("edited", before=lambda: keep(1, "edited", of="plain"))[0], 10)

    def test_file_that_is_not_loaded_is_ignored(self):
        keep(2, "other")
        with self.daemon():
            keep(3, "stray")
            self.assertEqual(self.same("stray")[0], 10)
            self.assertEqual(self.same("plain")[3], {UUID % 1})
            keep(3, "plain", of="stray")
            self.assertEqual(self.same("plain")[3], {UUID % 1})
            os.unlink(file("other"))  # now the numbers of files and profiles are equal
            keep(3, "other", of="stray")
            self.assertEqual(self.same("plain")[3], {UUID % 1})
            self.assertEqual(self.same("other", before=lambda: os.path.exists(file("other")) and os.unlink(file("other")))[3],
                             {UUID % 2})

    def test_profile_in_memory_is_found(self):
        with self.daemon():
            nmcli("connection", "add", "type", "infiniband", "con-name", "memory", "autoconnect", "no", "save", "no")
            self.assertEqual(len(self.same("memory")[3]), 1)
            nmcli("connection", "add", "type", "infiniband", "con-name", "plain", "autoconnect", "no", "save", "no")
            self.assertEqual(len(self.same("plain")[3]), 1)
            self.assertEqual(self.same("uuid", UUID % 1)[3], {UUID % 1})

    def test_other_selectors_as_in_nmcli(self):
        with self.daemon():
            for words in (("uuid", UUID % 1), (UUID % 1,), ("filename", file("plain")), (file("plain"),), ("id", "plain"),
                          ("uuid", "c1f5"), ("id", UUID % 1), ("filename", "plain"), ("path", "/x"), ("uuid", ""), ("",)):
                self.same(*words)

    def test_invalid_uuid_is_no_critical_error(self):
        for uuid in ("no uuid", "", "\xff\xfe", "0123", (UUID % 9).upper()):
            with self.subTest(uuid):
                clear()
                keep(1, "plain")
                keep(2, "odd", uuid=uuid)
                with self.daemon():
                    self.assertEqual(self.same("plain")[3], {UUID % 1})
                    self.assertNotIn(b"CRITICAL", self.same("odd", before=lambda u=uuid: keep(2, "odd", uuid=u))[2])
                    for words in (("connection", "add", "type", "infiniband", "con-name", "odd", "autoconnect", "no"),
                                  ("plan", "odd"), ("--complete-args", "connection", "modify", "")):
                        self.assertNotRegex(run(NM_IB, *words)[2], b"CRITICAL|WARNING", words)

    def test_bytes_that_are_not_utf8_are_refused(self):
        keep(2, "\xff\xfe", of="bytes")
        with self.daemon():
            self.assertEqual(self.same("bytes")[3], {UUID % 2})
            for words in ((b"\xff\xfe",), ("id", b"\xff\xfe"), ("uuid", b"\xff"), ("path", b"\xff"), (b"/\xff",), ("filename", b"/\xff")):
                code, _, err, changed = self.same(*words)
                self.assertEqual((code, changed, err.count(b"\n")), (10, set(), 1))

    def test_links_and_loose_permissions_as_in_nmcli(self):
        sandbox.write_many(MANY)
        os.makedirs(ELSEWHERE, exist_ok=True)
        write(f"{ELSEWHERE}/linked", text(100, "linked"))
        os.symlink(f"{ELSEWHERE}/linked", file("linked"))
        os.symlink("/nowhere", file("nowhere"))
        keep(101, "loose")
        os.chmod(file("loose"), 0o644)
        with self.daemon():
            self.same("linked", before=lambda: subprocess.run(["ln", "-sfn", f"{ELSEWHERE}/linked", file("linked")], check=True))
            self.assertEqual(self.same("loose")[0], 10)
            write(f"{ELSEWHERE}/linked", text(100, "p7"))
            os.unlink(file("linked"))
            os.symlink(f"{ELSEWHERE}/linked", file("linked"))
            self.same("p7")

    def test_other_user_changes_nothing(self):
        keep(2, "twin", of="a")
        keep(3, "twin", of="b")
        with self.daemon():
            for words in (("plain",), ("twin",), ("nothere",), ("uuid", UUID % 1), ("filename", file("plain"))):
                self.assertEqual(self.same(*words, by=USER)[3], set())

    def test_restarted_daemon_has_the_new_name(self):
        keep(2, "twin", of="a")
        keep(3, "twin", of="b")
        with self.daemon():
            keep(2, "other", of="a")
        with self.daemon():
            self.assertEqual(self.same("twin")[3], {UUID % 3})
            self.assertEqual(self.same("other")[3], {UUID % 2})


if __name__ == "__main__":
    with sandbox.bus():
        unittest.main()
