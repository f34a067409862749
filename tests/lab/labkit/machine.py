# SPDX-License-Identifier: LGPL-2.1-or-later
"""A QEMU machine of the guest, and whether this host can accelerate it."""

import hashlib
import json
import os
import select
import socket
import subprocess
import time

from . import cache
from .common import LabError, die_with_parent, run, say

QEMU = "qemu-system-x86_64"
MEMORY = 768 << 20
PROBE_SECONDS = 15
# Emulated, a "rep movsb" is a byte at a time; a kernel that believes it fast uses it everywhere.
CPU = {"kvm": "host", "tcg": "max,-erms,-fsrm"}
# norandmaps: QEMU keeps translated code by its address. With random addresses each process is translated again.
COMMAND_LINE = ("console=ttyS0 quiet loglevel=4 panic=-1 oops=panic systemd.show_status=0 systemd.log_level=warning "
                "mitigations=off init_on_alloc=0 norandmaps no_timer_check net.ifnames=0 root=/dev/vda rootfstype=ext4 rw")
CLOCK = {"host": [], "instructions": ["-icount", "shift=1,sleep=off"]}


def cpus():
    return int(os.environ.get("NMIB_LAB_CPUS") or 1)


def clock():
    """QEMU's arguments for the guest's clock. One that counts instructions (here 500 million a second) shows how much
    was done, however busy the host is; emulation only."""
    wanted = os.environ.get("NMIB_LAB_CLOCK") or "host"
    if wanted not in CLOCK:
        raise LabError(f"NMIB_LAB_CLOCK={wanted}: {' or '.join(CLOCK)}")
    return CLOCK[wanted]


def acceleration(kernel):
    """ "kvm" only if it takes this kernel to its end within PROBE_SECONDS: /dev/kvm can exist and hang. Kept in the cache."""
    wanted = os.environ.get("NMIB_LAB_ACCEL") or ("tcg" if clock() else None)
    if wanted:
        if wanted not in ("kvm", "tcg"):
            raise LabError(f"NMIB_LAB_ACCEL={wanted}: kvm or tcg")
        return wanted
    if not os.access("/dev/kvm", os.W_OK):
        return "tcg"
    host = hashlib.sha256(" ".join(os.uname()).encode()).hexdigest()[:16]
    answer = os.path.join(cache.root(), f"acceleration-{host}")
    try:
        with open(answer) as f:
            return f.read().strip()
    except FileNotFoundError:
        pass
    say(f"trying hardware acceleration (at most {PROBE_SECONDS} s)")
    found = "kvm" if _kvm_works(kernel) else "tcg"
    say(f"acceleration: {found}")
    new = f"{answer}.{os.getpid()}" # the other release's guest may be built at the same time
    with open(new, "w") as f:
        f.write(found + "\n")
    os.rename(new, answer)
    return found


def _kvm_works(kernel):
    """The kernel has nothing to run as init, so it ends in a panic, which is what we wait to read on the console."""
    command = [QEMU, "-M", "q35,usb=off", "-accel", "kvm", "-cpu", "host", "-m", "256", "-nodefaults",
               "-no-user-config", "-display", "none", "-no-reboot", "-kernel", kernel,
               "-append", "console=ttyS0 panic=-1 rdinit=/none root=/none", "-serial", "stdio", "-monitor", "none"]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)
    seen, end = b"", time.monotonic() + PROBE_SECONDS
    try:
        while time.monotonic() < end and b"Kernel panic" not in seen:
            if select.select([process.stdout], [], [], 0.5)[0]:
                data = os.read(process.stdout.fileno(), 4096)
                if not data:
                    break
                seen += data
    finally:
        process.kill()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            pass
    return b"Kernel panic" in seen


def identity(accel):
    """What a saved machine depends on besides the guest: it cannot be loaded into a different one."""
    parts = [accel, CPU[accel], str(cpus()), *clock(), str(MEMORY), COMMAND_LINE, run([QEMU, "--version"])]
    if accel == "kvm":
        with open("/proc/cpuinfo") as f:
            parts += [line for line in f if line.startswith(("model name", "flags"))][:2]
    return "\n".join(parts)


class Machine:
    """One running QEMU. Its files are in `directory`; disk and memory are QEMU's words for them; kernel: more words for its command line."""

    def __init__(self, guest, directory, accel, disk, memory, *extra, serial=None, kernel="audit=0"):
        self.directory = directory
        threads = "single" if clock() else "multi"
        cpu = ["-accel", f"tcg,thread={threads},tb-size=512" if accel == "tcg" else accel, "-cpu", CPU[accel], *clock()]
        port = "socket,id={0},path={1}/{0},server=on,wait=off"
        command = [
            QEMU, "-M", "q35,usb=off,smbus=off,vmport=off,memory-backend=ram", *cpu, "-smp", str(cpus()), "-m",
            f"{MEMORY >> 20}", "-object", f"{memory},id=ram,size={MEMORY}",
            "-nodefaults", "-no-user-config", "-display", "none",
            "-kernel", f"{guest}/vmlinuz", "-initrd", f"{guest}/initrd", "-append", f"{COMMAND_LINE} {kernel}",
            "-drive", f"if=virtio,cache=unsafe,{disk}",
            "-drive", f"if=virtio,format=raw,readonly=on,file={directory}/job.tar",
            "-device", "virtio-serial-pci",
            "-chardev", port.format("talk", directory), "-device", "virtserialport,chardev=talk,name=lab.talk",
            "-chardev", f"file,id=logs,path={directory}/logs.tar",
            "-device", "virtserialport,chardev=logs,name=lab.logs",
            "-object", "rng-random,id=rng,filename=/dev/urandom", "-device", "virtio-rng-pci,rng=rng",
            "-serial", serial or f"file:{directory}/console",
            "-qmp", f"unix:{directory}/qmp,server=on,wait=off", "-monitor", "none", *extra]
        with open(f"{directory}/qemu.log", "wb") as log:
            self.process = subprocess.Popen(command, stdin=None if serial else subprocess.DEVNULL,
                                            stdout=None if serial else log, stderr=log, preexec_fn=die_with_parent,
                                            env={**os.environ, "TMPDIR": directory})
        self.talk = self._connect("talk")

    def _connect(self, name):
        s = socket.socket(socket.AF_UNIX)
        for _ in range(400):
            try:
                s.connect(f"{self.directory}/{name}")
                return s
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.025)
        raise LabError(f"QEMU did not start: {self.read('qemu.log').strip() or 'no reason given'}")

    def read(self, name):
        try:
            with open(f"{self.directory}/{name}", errors="replace") as f:
                return f.read()
        except FileNotFoundError:
            return ""

    def _qmp(self, *commands):
        """Send commands to QEMU, (name, arguments) each; the answer to the last."""
        with self._connect("qmp") as qmp:
            lines = qmp.makefile("rb")
            lines.readline()
            for name, arguments in (("qmp_capabilities", {}), *commands):
                qmp.sendall(json.dumps({"execute": name, "arguments": arguments}).encode() + b"\n")
                answer = {}
                while "return" not in answer:
                    answer = json.loads(lines.readline() or '{"error": {"desc": "it is gone"}}')
                    if "error" in answer:
                        raise LabError(f"QEMU refused {name}: {answer['error']['desc']} {self.read('qemu.log')}")
        return answer["return"]

    # The memory is a file. Saving, it is shared, so the file is the saved memory; waking, it is mapped privately, so
    # each copy of the machine starts at once and changes only its own pages. Neither transfers it.
    _MEMORY_STAYS = ("migrate-set-capabilities", {"capabilities": [{"capability": "x-ignore-shared", "state": True}]})

    def save(self, path):
        """Stop the machine and write its state, all but the memory."""
        self._qmp(("stop", {}), self._MEMORY_STAYS, ("migrate", {"uri": f"exec:cat >{path}"}))
        for _ in range(600):
            status = self._qmp(("query-migrate", {})).get("status")
            if status == "completed":
                return
            if status == "failed":
                break
            time.sleep(0.1)
        raise LabError(f"QEMU could not save the machine: {status}")

    def wake(self, path):
        """Go on from a saved state, in a machine started with -incoming defer."""
        self._qmp(self._MEMORY_STAYS, ("migrate-incoming", {"uri": f"exec:cat {path}"}))
        while self._qmp(("query-status", {}))["status"] == "inmigrate":
            time.sleep(0.01)
        self._qmp(("cont", {}))

    def close(self):
        self.talk.close()
        self.process.kill()
        self.process.wait()
