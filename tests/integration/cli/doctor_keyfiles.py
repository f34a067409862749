#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""doctor_keyfiles.py NM-IB: findings of nm-ib doctor about keyfiles, and --fix, with the real NetworkManager."""
import os
import unittest

import live
import machine
import sandbox
from doctor_case import NMCLI, OnProfiles, profile

BYHAND = f"{sandbox.PROFILES}/byhand.nmconnection"


class Keyfiles(OnProfiles):
    def test_keyfiles(self):
        sandbox.write_profile("byhand", profile(1, "byhand"))
        self.expect(1, """\
warning  /etc/NetworkManager/system-connections/byhand.nmconnection is not
         loaded [keyfile-not-loaded]
         NetworkManager does not read a file that was written by hand until a
         command loads the file.
         => nmcli connection load /etc/NetworkManager/system-connections/byhand.nmconnection
""")
        os.chmod(BYHAND, 0o644)
        self.expect(4, """\
error    /etc/NetworkManager/system-connections/byhand.nmconnection cannot be
         loaded: not owned by root, or readable by other users
         [keyfile-permissions]
         A profile can hold secrets: NetworkManager reads only files that root
         alone can read.
         => chown root:root /etc/NetworkManager/system-connections/byhand.nmconnection
         => chmod 600 /etc/NetworkManager/system-connections/byhand.nmconnection
         => nmcli connection load /etc/NetworkManager/system-connections/byhand.nmconnection
""")
        self.expect(0, """\
/etc/NetworkManager/system-connections/byhand.nmconnection cannot be loaded: not owned by root, or readable by other users [keyfile-permissions]
    chown root:root /etc/NetworkManager/system-connections/byhand.nmconnection
    chmod 600 /etc/NetworkManager/system-connections/byhand.nmconnection
    nmcli connection load /etc/NetworkManager/system-connections/byhand.nmconnection
No problem found (ports: 2, profiles: 1).
""", "--fix", "keyfile-permissions", "--yes")
        os.chmod(BYHAND, 0o644)
        self.finds("keyfile-permissions:/etc/NetworkManager/system-connections/byhand.nmconnection", 4)
        self.expect(2, """\
/etc/NetworkManager/system-connections/byhand.nmconnection cannot be loaded: not owned by root, or readable by other users [keyfile-permissions]
    chown root:root /etc/NetworkManager/system-connections/byhand.nmconnection
    chmod 600 /etc/NetworkManager/system-connections/byhand.nmconnection
    nmcli connection load /etc/NetworkManager/system-connections/byhand.nmconnection
""", "--fix", err="""\
Error: --fix: no terminal for the question
To run the commands without a question, add --yes.
""")
        os.chmod(BYHAND, 0o600)
        os.chown(BYHAND, 1, 0)
        self.finds("keyfile-permissions:/etc/NetworkManager/system-connections/byhand.nmconnection", 4)
        os.chown(BYHAND, 0, 0)
        sandbox.write_profile("byhand", profile(1, "byhand").replace("datagram", "sideways"))
        os.chmod(BYHAND, 0o600)
        self.expect(4, """\
error    /etc/NetworkManager/system-connections/byhand.nmconnection cannot be
         loaded: infiniband.transport-mode: property is invalid [keyfile-broken]
         NetworkManager ignores a file that it cannot parse, and reports this in
         its log only.
         => Correct the line; then:
            nmcli connection load /etc/NetworkManager/system-connections/byhand.nmconnection
""")
        sandbox.write_profile("byhand", "[connection\ntype=infiniband")
        self.finds("keyfile-broken:/etc/NetworkManager/system-connections/byhand.nmconnection", 4)

    def test_question_before_a_fix(self):
        self.reload(one=profile(1, "one"))
        self.reload(byhand=profile(2, "byhand"))
        os.chmod(BYHAND, 0o644)
        for answer in ("n", "", "x"):
            code, said = self.m.run_on_terminal("doctor", "--fix", stdin=f"{answer}\n")
            self.assertEqual((code, "Run these commands? [y/N] " in said, os.stat(BYHAND).st_mode & 0o777), (4, True, 0o644), said)
        code, said = self.m.run_on_terminal("doctor", "--fix", stdin="y\n")
        self.assertEqual((code, "No problem found" in said, os.stat(BYHAND).st_mode & 0o777), (0, True, 0o600), said)
        os.chmod(BYHAND, 0o644)
        with sandbox.instead_of_nmcli("echo broken >&2; exit 3"):
            answer = self.answer("--fix", "--yes")
        self.assertEqual((answer.code, answer.err), (0, "Error: nmcli: broken\n"))

    def test_keyfiles_of_every_directory(self):
        run, usr = "/run/NetworkManager/system-connections", "/usr/lib/NetworkManager/system-connections"
        text = profile(1, "byhand")
        machine.write(f"{usr}/byhand.nmconnection", text, 0o600)
        self.addCleanup(os.unlink, f"{usr}/byhand.nmconnection")
        self.finds("keyfile-not-loaded:/usr/lib/NetworkManager/system-connections/byhand.nmconnection", 1)
        machine.write(f"{run}/byhand.nmconnection", text, 0o600)
        self.addCleanup(os.unlink, f"{run}/byhand.nmconnection")
        self.finds("keyfile-not-loaded:/run/NetworkManager/system-connections/byhand.nmconnection", 1)
        for name, more in ((".hidden.nmconnection", text), ("byhand.nmconnection~", text), ("plain", text),
                           ("wired.nmconnection", f"[connection]\nid=w\nuuid={live.UUID % 3}\ntype=ethernet\n")):
            sandbox.write_profile("x", more)
            os.rename(f"{sandbox.PROFILES}/x.nmconnection", f"{sandbox.PROFILES}/{name}")
            self.finds("keyfile-not-loaded:/run/NetworkManager/system-connections/byhand.nmconnection", 1)
        os.symlink("/dev/null", f"{sandbox.PROFILES}/{live.UUID % 1}.nmmeta")
        self.finds("", 0)
        os.unlink(f"{sandbox.PROFILES}/{live.UUID % 1}.nmmeta")
        sandbox.write_profile("wired", f"[connection]\nid=w\nuuid={live.UUID % 3}\ntype=ethernet\n[ethernet]\nmac-address=80:00:00:48:FE:80:00:00:00:00:00:00:00:02:C9:03:00:0A:00:01\n")
        self.finds("keyfile-not-loaded:/run/NetworkManager/system-connections/byhand.nmconnection keyfile-not-loaded:/etc/NetworkManager/system-connections/wired.nmconnection", 1)

    def test_words_without_a_profile(self):
        self.reload(storage=profile(1, "storage"))
        for number in (1, 2):
            machine.write(f"/etc/nm-infiniband/profiles/{live.UUID % number}", "")
        self.finds("words-without-profile:/etc/nm-infiniband/profiles/c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0002", 1)
        self.expect(1, """\
Nothing to fix.
warning  /etc/nm-infiniband/profiles/c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0002 has
         rdma.* words, and no profile has this UUID [words-without-profile]
         The words stay without the profile, and would apply to a new profile
         with the same UUID.
         => rm /etc/nm-infiniband/profiles/c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0002
""", "--fix", "--yes")
        self.assertEqual(len(os.listdir("/etc/nm-infiniband/profiles")), 2)


if __name__ == "__main__":
    with sandbox.bus(), sandbox.network_manager(NMCLI):
        unittest.main()
