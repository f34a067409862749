# SPDX-License-Identifier: LGPL-2.1-or-later
"""Debian packages of any release, through the apt sources this machine is configured with; nothing is installed here."""

import glob
import os
import re

from .common import LabError, run


def host_release():
    with open("/etc/os-release") as f:
        found = re.search(r"^VERSION_CODENAME=(\S+)", f.read(), re.M)
    if not found:
        raise LabError("/etc/os-release names no VERSION_CODENAME: the lab needs a Debian machine to take apt sources from")
    return found[1]


def sources(release):
    """The configured sources that follow this machine's release, for another one: [(file name, text)]."""
    here = host_release()
    suite = re.compile(rf"(?<!\S){here}((-updates|-security)?)(?!\S)")
    out = []
    for path in ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*"))]:
        name = os.path.basename(path)
        if not os.path.isfile(path) or not name.endswith((".list", ".sources")):
            continue
        with open(path) as f:
            lines = [line for line in f if not line.startswith("#")]
        entries = re.split(r"\n\s*\n", "".join(lines)) if name.endswith(".sources") else lines
        kept = [suite.sub(rf"{release}\1", e.strip("\n")) for e in entries if suite.search(e)]
        if kept:
            out.append((name, ("\n\n" if name.endswith(".sources") else "\n").join(kept) + "\n"))
    if not out:
        raise LabError(f"no apt source of this machine follows {here}: see /etc/apt/sources.list and sources.list.d")
    return out


class Apt:
    """apt for one release in a directory of its own."""

    def __init__(self, release, directory):
        self.release = release
        parts = os.path.join(directory, "parts")
        for d in (parts, f"{directory}/lists/partial", f"{directory}/cache/archives/partial"):
            os.makedirs(d)
        for name, text in sources(release):
            with open(os.path.join(parts, name), "w") as f:
                f.write(text)
        self.parts = parts
        self.options = ["-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::Etc::SourceParts={parts}",
                        "-o", f"Dir::State::Lists={directory}/lists", "-o", "Dir::State::Status=/dev/null",
                        "-o", f"Dir::Cache={directory}/cache", "-o", "APT::Sandbox::User=root"]
        self.debs = directory
        run(["apt-get", *self.options, "-qq", "update"])

    def dependency(self, package, pattern):
        """The first package that `package` depends on and whose name matches."""
        text = run(["apt-cache", *self.options, "depends", package])
        found = re.search(rf"Depends: ({pattern})$", text, re.M)
        if not found:
            raise LabError(f"{package} of {self.release} depends on nothing like {pattern}")
        return found[1]

    def unpack(self, package, directory):
        """Download a package and unpack it over a directory, without running its scripts."""
        run(["apt-get", *self.options, "-qq", "download", package], cwd=self.debs)
        deb, = glob.glob(f"{self.debs}/{package}_*.deb")
        run(["sh", "-c", 'dpkg-deb --fsys-tarfile "$0" | tar -C "$1" -x --keep-directory-symlink', deb, directory])

    def bootstrap(self, packages, directory):
        """A Debian tree with these packages, without documentation. What is mounted in it meanwhile goes with the process, however it ends."""
        exclude = [f"--dpkgopt=path-exclude=/usr/share/{d}/*" for d in ("doc", "man", "locale", "info")]
        text = "".join(text + "\n" for _, text in sources(self.release))
        run(["unshare", "--mount", "--propagation", "private", "mmdebstrap", "--mode=root", "--variant=essential", f"--include={','.join(packages)}",
             '--aptopt=APT::Install-Recommends "false"', *exclude, self.release, directory, "-"], text=text)
