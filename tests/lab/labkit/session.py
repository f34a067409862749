# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs one script in one fresh copy of the guest. The program in the guest is guest/overlay/usr/local/lib/lab/agent."""

import functools
import os
import re
import shutil
import socket
import sys
import tarfile
import tempfile
import time

from . import cache, guest, kept, module, root
from .cache import Cache
from .common import LAB, LabError, Step
from .common import run as run_tool
from .machine import Machine, acceleration, clock, identity

JOB_SIZE = 64 << 20  # fixed, because the guest in a saved machine has already read the size of the disk
BOOT_SECONDS = 600


class Bed:
    """The cache entries that a run needs; builds missing ones: guest, module and, unless cold, the saved machine. `tree`: a
    directory that is booted instead of the guest's own tree."""

    def __init__(self, release, cold=False, tree=None):
        if tree and not os.path.isdir(f"{tree}/etc"):
            raise LabError(f"--root {tree}: no tree; the verb root makes one")
        self.tree = tree
        self.cache = Cache(release)
        self.release = release
        self.key = key = guest.key(release)
        self.guest = self.cache.get("guest", key, lambda d: guest.build(release, d))
        self.module = self.cache.get("module", module.key(key), lambda d: module.build(release, self.guest, d))
        self.accel = acceleration(f"{self.guest}/vmlinuz")
        self.saved = None
        if not cold:
            saved_key = cache.digest("labkit/machine.py", f"={key}", f"={identity(self.accel)}")
            # Only benchmarks count instructions, so they need another saved machine than scenarios.
            self.saved = self.cache.get("counted" if clock() else "saved", saved_key, self._save)

    def other(self, name):
        """Returns the path of a module that only some scenarios need."""
        directory = self.cache.get(name, module.other_key(name, self.key),
                                   lambda d: module.build_other(self.release, self.guest, d, name))
        return f"{directory}/{name}.ko"

    def _save(self, directory):
        """Boots to READY and saves disk, memory and state. A run maps the memory privately and adds a temporary layer to the disk."""
        with Step("booting the guest once, to be kept"), Scratch() as scratch:
            _pack(scratch, [])
            _overlay(f"{self.guest}/rootfs.ext4", f"{directory}/disk.qcow2")
            machine = Machine(self.guest, scratch, self.accel, f"format=qcow2,file={directory}/disk.qcow2",
                              f"memory-backend-file,share=on,mem-path={directory}/memory")
            try:
                _wait_ready(machine)
                time.sleep(1)
                machine.save(f"{directory}/state")
            finally:
                machine.close()

    def machine(self, scratch, serial=None):
        if self.saved:
            machine = Machine(self.guest, scratch, self.accel, f"format=qcow2,snapshot=on,file={self.saved}/disk.qcow2",
                              f"memory-backend-file,share=off,mem-path={self.saved}/memory", "-incoming", "defer",
                              serial=serial)
            ready = functools.partial(machine.wake, f"{self.saved}/state")
        else:
            base = f"{self.guest}/rootfs.ext4"
            if self.tree:
                base = f"{scratch}/rootfs.ext4"
                root.image(self.guest, self.tree, base)
            _overlay(base, f"{scratch}/disk.qcow2")
            # Debian's kernel uses AppArmor; SELinux only with this option.
            selinux = self.tree and os.path.exists(f"{self.tree}/etc/selinux/config")
            machine = Machine(self.guest, scratch, self.accel, f"format=qcow2,file={scratch}/disk.qcow2",
                              "memory-backend-ram", serial=serial, kernel="audit=1 security=selinux" if selinux else "audit=0")
            ready = functools.partial(_wait_ready, machine)
        try:
            ready()
        except BaseException:
            machine.close()
            raise
        return machine


class Scratch:
    """A temporary directory, removed also after errors."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="nmib-lab.")
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def _overlay(base, path):
    run_tool(["qemu-img", "create", "-q", "-f", "qcow2", "-b", base, "-F", "raw", path])


def _of_root(member):
    """Makes owner and mode independent of this machine's users and umask. Leaves out __pycache__."""
    if os.path.basename(member.name) == "__pycache__":
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def _pack(scratch, files, fixed=True):
    """Writes job.tar from (name, path) pairs, in the fixed size; larger only if `fixed` is False."""
    with open(f"{scratch}/job.tar", "wb") as f:
        with tarfile.open(fileobj=f, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for name, path in files:
                tar.add(path, name, filter=_of_root)
        size = f.tell() if not fixed and f.tell() > JOB_SIZE else JOB_SIZE
        if f.tell() > size:
            raise LabError(f"the script's files take {f.tell() >> 20} MiB; a job may have {JOB_SIZE >> 20} MiB")
        f.truncate(size)


def _wait_ready(machine):
    machine.talk.settimeout(BOOT_SECONDS)
    seen = b""
    try:
        while b"READY" not in seen:
            data = machine.talk.recv(100)
            if not data:
                break
            seen += data
    except socket.timeout:
        pass
    if b"READY" not in seen:
        raise LabError(f"the guest did not boot within {BOOT_SECONDS} s:\n{machine.read('console')[-2000:]}")


def key_of(bed, names, limit, tap):
    """Returns the key of a run. The guest can read its disk and the job; the rest of the key is what runs the guest."""
    key = kept.Key()
    for name, path in names:
        (key.tar if name == "stage.tar" else key.file)(name, path)
    for name in ("vmlinuz", "initrd", "rootfs.ext4"):
        key.built(name, f"{bed.guest}/{name}")
    for name in ("disk.qcow2", "memory", "state") if bed.saved else ():
        key.built(name, f"{bed.saved}/{name}")
    key.text("machine", identity(bed.accel))
    key.file("labkit", f"{LAB}/labkit")
    key.text("run", f"{limit} {tap}")
    return key


def run(bed, script, files, limit, logs=None, serial=None, tap=False):
    """Runs the script with the files beside it, and copies its output to standard output. Returns its exit status; 125 without one.
    logs: the directory for the guest's logs if the status is not 0. tap: lines that are not TAP become comments.
    A kept result (kept.py) replaces the run."""
    names = [("script", script), ("softhca.ko", f"{bed.module}/softhca.ko"), *files]
    key = None if serial or bed.tree else key_of(bed, names, limit, tap)
    before = kept.find(key) if key else None
    if before is not None:
        sys.stdout.buffer.write(before)
        return 0
    output = _Output(tap)
    with Scratch() as scratch:
        _pack(scratch, names, bool(bed.saved))
        machine = bed.machine(scratch, serial)
        try:
            machine.talk.sendall(f"GO {time.time():.0f} {limit} {int(bool(logs))}\n".encode())
            status = _relay(machine, time.monotonic() + limit + 60, output)
            if status == 125:
                output.write(f"# no status from the guest; end of its console:\n{machine.read('console')[-3000:]}"
                             f"{machine.read('qemu.log')[-1000:]}\n".encode())
            output.close()
            if key and status:
                kept.forget(key)
            elif key and key_of(bed, names, limit, tap).digest() == key.digest():  # else a file was edited meanwhile
                kept.keep(key, os.path.basename(script), bytes(output.all))
            if status and logs:
                _keep(scratch, logs)
            return status
        finally:
            machine.close()


def _relay(machine, end, output):
    """Copies the guest's output until its status arrives: a frame of \\001RC <status>\\n. Returns the status; 125 without one."""
    held = b""
    while True:
        machine.talk.settimeout(max(0.1, end - time.monotonic()))
        try:
            data = machine.talk.recv(65536)
        except (socket.timeout, ConnectionError):
            data = b""
        text, mark, rest = (held + data).partition(b"\x01RC ")
        if mark and rest.endswith(b"\n"):
            output.write(text)
            return int(rest)
        if not data:
            output.write(text)
            return 125
        if mark or b"\x01" in text[-4:]:
            held = text + mark + rest
        else:
            output.write(text)
            held = b""


class _Output:
    """Standard output. With `tap`, a line that is not TAP becomes a comment: meson warns of such lines."""

    TAP = re.compile(rb"(not )?ok \d|1\.\.\d|#|\s*$")

    def __init__(self, tap):
        self.tap, self.line, self.all = tap, b"", bytearray()

    def write(self, data):
        if self.tap:
            *lines, self.line = (self.line + data).split(b"\n")
            data = b"".join((b"" if self.TAP.match(line) else b"# ") + line + b"\n" for line in lines)
        self.all += data
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()

    def close(self):
        if self.line:
            self.write(b"\n")


def _keep(scratch, logs):
    shutil.rmtree(logs, ignore_errors=True)
    os.makedirs(logs)
    try:
        with tarfile.open(f"{scratch}/logs.tar") as tar:
            for member in tar:
                if member.isfile():  # paths of the guest are not trusted
                    with open(os.path.join(logs, os.path.basename(member.name)), "wb") as f:
                        shutil.copyfileobj(tar.extractfile(member), f)
    except tarfile.TarError:
        pass
    shutil.copy(f"{scratch}/console", f"{logs}/console.txt")
    print(f"# logs of the guest: {logs}", flush=True)
