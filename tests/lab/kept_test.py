#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests labkit/kept.py: any input that changes by one byte runs the test again, and no file that a run opens is left out. Prints TAP."""

import os
import re
import subprocess
import sys
import tempfile
import types

sys.dont_write_bytecode = True
LAB = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, LAB)

from labkit import cache, machine, session, stage  # noqa: E402

# the programs of this machine and their settings; the machine's part of the key has QEMU's version
SYSTEM = ("/usr/", "/lib", "/bin/", "/sbin/", "/etc/", "/proc/", "/sys/", "/dev/", os.path.realpath(sys.base_prefix) + "/")
count = bad = 0


def check(what, good, detail=""):
    global count, bad
    count += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {count} - {what}" + "".join(f"\n# {line}" for line in str(detail).splitlines() if not good), flush=True)


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, mode)


def world(d):
    """A small stage, job and guest below d. Returns the function that computes the key of a run with them."""
    for name in ("guest/vmlinuz", "guest/initrd", "guest/rootfs.ext4", "saved/disk.qcow2", "saved/memory", "saved/state", "softhca.ko",
                 "script", "lib.sh", "role/tasks/main.yml", "stage/etc/conf", "stage/usr/bin/nm-ib",
                 "stage/usr/lib/nm-infiniband/plugin.so", "stage/usr/share/man/man1/nm-ib.1"):
        write(f"{d}/{name}", f"{name}\n")
    os.symlink("conf", f"{d}/stage/etc/link")
    bed = types.SimpleNamespace(release="bookworm", guest=f"{d}/guest", saved=f"{d}/saved", accel="tcg")

    def key(parts="plugin", limit=60, tap=True):
        stage.pack(f"{d}/stage.tar", f"{d}/stage", stage.parse_parts(parts), None)
        names = [("script", f"{d}/script"), ("softhca.ko", f"{d}/softhca.ko"), ("role", f"{d}/role"), ("lib.sh", f"{d}/lib.sh"), ("stage.tar", f"{d}/stage.tar")]
        return session.key_of(bed, names, limit, tap).digest()

    return bed, key


def changes(d):
    bed, key = world(d)
    version, lab = machine.run, session.LAB
    before = key()
    check("the same inputs: the same key", key() == before)
    for path in ("script", "lib.sh", "softhca.ko", "role/tasks/main.yml", "stage/etc/conf", "stage/usr/lib/nm-infiniband/plugin.so", "guest/vmlinuz",
                 "guest/initrd", "guest/rootfs.ext4", "saved/disk.qcow2", "saved/memory", "saved/state"):
        with open(f"{d}/{path}", "r+b") as f:
            first = f.read(1)
            f.seek(0)
            f.write(bytes([first[0] ^ 1]))
        after = key()
        check(f"{path}: one byte changes the key", after != before)
        before = after
    for what, change in (
            ("stage: a mode", lambda: os.chmod(f"{d}/stage/etc/conf", 0o755)),
            ("stage: a link", lambda: (os.unlink(f"{d}/stage/etc/link"), os.symlink("other", f"{d}/stage/etc/link"))),
            ("stage: a new file", lambda: write(f"{d}/stage/etc/more", "")),
            ("job: a new file in a directory", lambda: write(f"{d}/role/more", "")),
            ("job: the bit of a program", lambda: os.chmod(f"{d}/script", 0o755)),
            ("saved machine: a cold boot instead", lambda: setattr(bed, "saved", None)),
            ("QEMU: another version", lambda: setattr(machine, "run", lambda command: "QEMU 99\n")),
            ("labkit: one byte", lambda: setattr(session, "LAB", f"{d}/lab")),
            ("environment: another clock", lambda: os.environ.update(NMIB_LAB_CLOCK="instructions")),
            ("environment: two processors", lambda: os.environ.update(NMIB_LAB_CPUS="2"))):
        write(f"{d}/lab/labkit/session.py", "# changed\n")
        change()
        after = key()
        check(f"{what} changes the key", after != before)
        before = after
    machine.run, session.LAB = version, lab
    for name in ("NMIB_LAB_CLOCK", "NMIB_LAB_CPUS"):
        del os.environ[name]
    before = key()
    check("limit: another one changes the key", key(limit=61) != before)
    check("parts: other ones change the key", key("plugin+cli") != before)
    write(f"{d}/stage/usr/bin/nm-ib", "changed\n")
    write(f"{d}/stage/usr/share/man/man1/nm-ib.1", "changed\n")
    check("files of a part that is not in the guest: the key stays", key() == before)
    os.utime(f"{d}/stage/etc/conf", (1, 1))
    os.chmod(f"{d}/lib.sh", 0o600)
    check("time of a file, umask of the checkout: the key stays", key() == before)


def results(d):
    """A program that counts its runs, under tests/kept."""
    os.environ["NMIB_LAB_CACHE"] = f"{d}/cache"
    write(f"{d}/data", "one\n")
    write(f"{d}/program", f'#!/bin/sh\necho run >>{d}/runs\ncat "${{1#*=}}"\n[ ! -e {d}/broken ] && grep -q one "${{1#*=}}"\n', 0o755)

    def run(kept_is, argument=f"-file={d}/data"):
        env = {**os.environ, "NMIB_KEPT": kept_is}
        done = subprocess.run([f"{LAB}/../kept", f"{d}/program", argument], env=env, capture_output=True, text=True, check=False)
        with open(f"{d}/runs", encoding="utf-8") as f:
            return done.returncode, done.stdout, len(f.readlines())

    check("NMIB_KEPT not set: the program runs", run("") == (0, "one\n", 1))
    check("NMIB_KEPT not set: nothing is kept", run("use") == (0, "one\n", 2))
    status, output, runs = run("use")
    check("NMIB_KEPT=use: the kept output, and the commit", status == 0 and runs == 2 and re.fullmatch(r"one\n# unchanged since \S.*\n", output), output)
    check("NMIB_KEPT=renew: the program runs", run("renew") == (0, "one\n", 3))
    write(f"{d}/data", "ones\n")
    check("file of an argument: one byte runs the program again", run("use") == (0, "ones\n", 4))
    write(f"{d}/data", "two\n")
    check("a failure keeps its status", run("use")[0] == 1)
    check("a failure is not kept", run("use") == (1, "two\n", 6))
    write(f"{d}/data", "one\n")
    with open(f"{d}/program", "a", encoding="utf-8") as f:
        f.write("#\n")
    check("program: one byte runs the program again", run("use") == (0, "one\n", 7))
    os.environ["ASAN_OPTIONS"] = "x=1"
    check("options of the sanitizer: a change runs the program again", run("use") == (0, "one\n", 8))
    write(f"{d}/broken", "")
    check("a program that fails now: runs with NMIB_KEPT=renew", run("renew")[::2] == (1, 9))
    os.unlink(f"{d}/broken")
    check("a program that failed later: its result is gone", run("use") == (0, "one\n", 10))
    os.chmod(f"{d}/cache/kept", 0o777)
    check("results that others can write: are not used", run("use") == (0, "one\n", 11))
    os.chmod(f"{d}/cache/kept", 0o755)
    os.environ["NMIB_LAB_CACHE"] = "/proc/nowhere"
    check("a cache that cannot be written: the program passes", run("use") == (0, "one\n", 12))


def opens(d):
    """A run in the guest opens no file that its key lacks."""
    write(f"{d}/script", ". ./lib.sh\ncheck 'ib0: exists' eval 'fabric; test -e /sys/class/net/ib0'\n")
    write(f"{d}/stage/etc/conf", "x\n")
    seen = f"{d}/seen"
    command = [f"{LAB}/lab", "run", "--tap", "--with", "plugin", "--stage", f"{d}/stage", f"{d}/script"]
    env = {k: v for k, v in os.environ.items() if k not in ("NMIB_KEPT", "NMIB_LAB_CACHE", "ASAN_OPTIONS")} | ({"NMIB_LAB_CACHE": CACHE} if CACHE else {})
    done = subprocess.run(["strace", "-f", "--seccomp-bpf", "-z", "-qq", "-e", "trace=open,openat,openat2,execve", "-e", "signal=none", "-o", seen, *command],
                          env=env, capture_output=True, text=True, check=False)
    check("guest: the run passes", done.returncode == 0, done.stdout + done.stderr)
    os.environ.pop("NMIB_LAB_CACHE", None)
    os.environ.update({"NMIB_LAB_CACHE": CACHE} if CACHE else {})
    bed = session.Bed("bookworm")
    names = [("script", f"{d}/script"), ("softhca.ko", f"{bed.module}/softhca.ko"), ("lib.sh", f"{LAB}/lib.sh")]
    inputs = session.key_of(bed, names, 300, True).inputs + [f"{d}/stage/etc/conf", f"{LAB}/lab"]
    made_from = tuple(f"{LAB}/{name}/" for name in ("labkit", "guest", "softhca"))  # which are in the key as labkit, the disk and softhca.ko
    left, files = set(), set()
    with open(seen, encoding="utf-8", errors="replace") as f:
        for line in f:
            found = re.search(r'"(/[^"]*)"', line)
            if not found or "O_CREAT" in line or "O_DIRECTORY" in line:
                continue
            path = os.path.realpath(found[1])
            if path.startswith(SYSTEM) or "/nmib-lab." in path:
                continue
            files.add(path)
            if path not in inputs and not path.startswith((*made_from, f"{cache.root()}/acceleration-")):
                left.add(path)
    check("guest: its disk, its memory and the module are among the opened files",
          {f"{bed.guest}/rootfs.ext4", f"{bed.saved}/memory", f"{bed.module}/softhca.ko"} <= files, files)
    check("guest: each opened file is part of the key", not left, "\n".join(sorted(left)))


CACHE = os.environ.get("NMIB_LAB_CACHE")
with tempfile.TemporaryDirectory(prefix="kept-test.") as top:
    changes(f"{top}/changes")
    results(f"{top}/results")
    opens(f"{top}/opens")
print(f"1..{count}")
sys.exit(bad > 0)
