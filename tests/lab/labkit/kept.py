# SPDX-License-Identifier: LGPL-2.1-or-later
"""Results of tests that passed, each under a hash of everything that the test reads.

NMIB_KEPT=use: a test whose inputs passed once prints that output instead of running. NMIB_KEPT=renew: every test runs, and its
result is kept. Otherwise results are neither used nor kept. A test that fails removes its result in each case. A result has no
date: it is valid as long as its inputs are."""

import hashlib
import json
import os
import re
import stat
import subprocess
import tarfile
import tempfile

from . import cache
from .common import LAB, say

LIMIT = 5000  # results: more than ten complete runs make
# The linker's hash over a program with its debug information, which has paths and is not in what is tested.
BUILD_ID = re.compile(rb"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0.{20}", re.S)


class Key:
    """Collects inputs. `inputs` names them, for the test that compares them with the files that a run opens."""

    def __init__(self):
        self.inputs = []
        self._hash = hashlib.sha256()

    def text(self, name, text):
        self._add(name, text.encode())

    def _add(self, name, content, kind=""):
        for part in (name.encode(), str(kind).encode(), BUILD_ID.sub(b"", content)):
            self._hash.update(len(part).to_bytes(8, "big") + part)

    def file(self, name, path):
        """Adds a file or a directory with all below, as session.py packs them into a job."""
        self.inputs.append(os.path.realpath(path))
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            self._add(name, b"", "directory")
            for entry in sorted(set(os.listdir(path)) - {"__pycache__"}):
                self.path(f"{name}/{entry}", os.path.join(path, entry))
        else:
            with open(path, "rb") as f:
                self._add(name, f.read(), bool(mode & stat.S_IXUSR))

    def path(self, name, path):
        """Like file(), but a link counts as a link."""
        if os.path.islink(path):
            self._add(name, os.readlink(path).encode(), "link")
        else:
            self.file(name, path)

    def built(self, name, path):
        """Adds a large file that is never changed after it was built, by its size and time."""
        self.inputs.append(os.path.realpath(path))
        status = os.stat(path)
        self._add(name, f"{status.st_size} {status.st_mtime_ns}".encode())

    def tar(self, name, path):
        """Adds the members of a tar without their times."""
        self.inputs.append(os.path.realpath(path))
        with tarfile.open(path) as tar:
            for member in sorted(tar.getmembers(), key=lambda m: m.name):
                content = tar.extractfile(member).read() if member.isfile() else member.linkname.encode()
                self._add(f"{name}/{member.name}", content, member.mode | ord(member.type) << 12)

    def digest(self):
        return self._hash.hexdigest()[:32]


def _git(*words):
    done = subprocess.run(["git", "--no-optional-locks", "-c", "safe.directory=*", "-C", LAB, *words], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def commit():
    """Returns the commit of this tree, with "-changed" if the tree has other changes."""
    return (_git("rev-parse", "--short", "HEAD") or "another tree") + ("-changed" if _git("status", "--porcelain", "--untracked-files=no") else "")


def _directory():
    """Returns the directory of the results; None if another user can write there: a result decides whether a test runs."""
    path = os.path.join(cache.root(), "kept")
    os.makedirs(path, mode=0o755, exist_ok=True)
    status = os.stat(path)
    return path if status.st_uid == os.geteuid() and not status.st_mode & 0o022 else None


def find(key):
    """Returns the kept output for these inputs, with the last line "# unchanged since COMMIT"; None without a kept result."""
    if os.environ.get("NMIB_KEPT") != "use":
        return None
    try:
        directory = _directory()
        if not directory:
            return None
        path = os.path.join(directory, key.digest())
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            result = json.load(f)
        output = result["output"].encode(errors="surrogateescape") + f"# unchanged since {result['commit']}\n".encode()
        os.utime(path)  # so that unused results are removed first
        return output
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def keep(key, name, output):
    """Keeps the output of a test that passed. A cache that cannot be written is reported and changes no result."""
    if os.environ.get("NMIB_KEPT") not in ("use", "renew"):
        return
    text = output.decode(errors="surrogateescape")
    result = {"test": name, "commit": commit(), "output": text if text.endswith("\n") else text + "\n"}
    try:
        directory = _directory()
        if not directory:
            return
        with tempfile.TemporaryDirectory(dir=directory, prefix=".") as private:
            path = os.path.join(private, "result")
            with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
                json.dump(result, f)
            os.rename(path, os.path.join(directory, key.digest()))
        _remove_oldest(directory)
    except OSError as e:
        say(f"the result of {name} is not kept: {e}")


def forget(key):
    """Removes the result of a test that failed now."""
    try:
        os.unlink(os.path.join(cache.root(), "kept", key.digest()))
    except OSError:
        pass


def _remove_oldest(directory):
    entries = [entry for entry in os.scandir(directory) if not entry.name.startswith(".")]
    if len(entries) <= LIMIT:
        return
    for entry in sorted(entries, key=lambda e: e.stat().st_mtime)[:-LIMIT]:
        try:
            os.unlink(entry.path)
        except FileNotFoundError:  # another run was faster
            pass
