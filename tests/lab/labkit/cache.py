# SPDX-License-Identifier: LGPL-2.1-or-later
"""The cache: a directory for each release, with a directory for each kind of entry, named after a hash of its inputs.

An entry is built beside its final name and renamed when complete, so every entry is whole. A builder holds the lock
"building", so no entry is built twice. A user of the cache holds the lock "lock" shared, and who removes entries holds it
exclusively, so none is removed while in use. Building does not wait for users: scenarios that follow each other always use
the cache.
"""

import fcntl
import hashlib
import os
import shutil
from contextlib import contextmanager

from .common import LAB, LabError, say


def root():
    return os.environ.get("NMIB_LAB_CACHE") or "/var/cache/nm-infiniband-lab"


def digest(*parts):
    """Returns a short hash over files and directories of tests/lab (names, modes, contents) and over plain strings ("=text")."""
    h = hashlib.sha256()

    def add(path):
        h.update(f"{os.path.relpath(path, LAB)} {os.access(path, os.X_OK)}\n".encode())
        if os.path.islink(path):
            h.update(os.readlink(path).encode())
        elif os.path.isdir(path):
            for name in sorted(os.listdir(path)):
                if name != "__pycache__":
                    add(os.path.join(path, name))
        else:
            with open(path, "rb") as f:
                h.update(f.read())

    for part in parts:
        if part.startswith("="):
            h.update(part.encode())
        else:
            add(os.path.join(LAB, part))
    return h.hexdigest()[:16]


class Cache:
    def __init__(self, release):
        self.dir = os.path.join(root(), release)
        try:
            os.makedirs(self.dir, exist_ok=True)
            self._lock = os.open(os.path.join(self.dir, "lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as e:
            raise LabError(f"cache {self.dir}: {e.strerror}; name another one in NMIB_LAB_CACHE") from None
        fcntl.flock(self._lock, fcntl.LOCK_SH)

    def path(self, kind, key):
        return os.path.join(self.dir, f"{kind}-{key}")

    @contextmanager
    def building(self):
        lock = os.open(os.path.join(self.dir, "building"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    @contextmanager
    def alone(self):
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another lab that uses the cache")
            fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_SH)

    def get(self, kind, key, build):
        """Returns the directory of an entry; build(directory) fills a missing one. Removes older entries of the kind, unless
        the cache is in use."""
        path = self.path(kind, key)
        if os.path.isdir(path):
            return path
        with self.building():
            if os.path.isdir(path):
                return path
            self.remove_older(kind)
            new = path + ".new"
            shutil.rmtree(new, ignore_errors=True)  # of a builder that was killed
            os.mkdir(new)
            try:
                build(new)
                os.rename(new, path)
            except BaseException:
                shutil.rmtree(new, ignore_errors=True)
                raise
        return path

    def remove_older(self, kind):
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            for name, _ in list(self.list()):
                if name.startswith(f"{kind}-") or kind == "guest":  # all other entries depend on the guest
                    shutil.rmtree(os.path.join(self.dir, name))
        except BlockingIOError:
            pass
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_SH)  # a failed conversion loses the shared lock

    def list(self):
        for name in sorted(os.listdir(self.dir)):
            path = os.path.join(self.dir, name)
            if os.path.isdir(path):
                used = sum(os.lstat(os.path.join(d, f)).st_blocks for d, _, fs in os.walk(path) for f in fs)
                yield name, used >> 11

    def clean(self):
        with self.alone():
            for name, _ in list(self.list()):
                shutil.rmtree(os.path.join(self.dir, name))
