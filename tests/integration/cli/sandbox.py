# SPDX-License-Identifier: LGPL-2.1-or-later
"""The real NetworkManager on a private bus, in namespaces of its own (network, mounts, processes). Needs root."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time

NMCLI = "/usr/bin/nmcli"
OWN = "/run/nm-ib-test"  # removed with the sandbox
PROFILES = "/etc/NetworkManager/system-connections"
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><policy context="default">
<allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
<allow send_type="method_return"/><allow send_type="error"/><allow receive_type="method_call"/>
<allow receive_type="signal"/><allow receive_type="method_return"/><allow receive_type="error"/></policy>
<limit name="max_replies_per_connection">50000</limit></busconfig>
"""
CONFIG = """[main]
plugins=keyfile
auth-polkit=root-only
no-auto-default=*
dns=none
rc-manager=unmanaged
hostname-mode=none
[logging]
level=WARN
"""


def learn(name):
    """Sets the locale of later commands; skips the test if nmcli has no translation."""
    language, charset = name.split(".")
    if not os.path.exists(f"/usr/share/locale/{language[:2]}/LC_MESSAGES/NetworkManager.mo"):
        sys.exit(77)
    # without LOCPATH, of which glibc leaks a copy
    subprocess.run(f"cp -r /usr/lib/locale {OWN}/ && localedef -i {language} -f {charset} {OWN}/locale/{name} && "
                   f"mount --bind {OWN}/locale /usr/lib/locale", shell=True, check=True)
    os.environ["NMIB_LOCALE"] = name


def locale():
    return {"LC_ALL": os.environ.get("NMIB_LOCALE", "C.UTF-8")}


def enter():
    """Restarts this program in new namespaces. Returns the nmcli for comparisons."""
    if "NMIB_SANDBOX" not in os.environ:
        if os.geteuid() != 0 or not all(map(shutil.which, (NMCLI, "NetworkManager", "dbus-daemon"))):
            sys.exit(77)
        os.environ["NMIB_SANDBOX"] = "entered"
        os.execvp("unshare", ["unshare", "--net", "--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc", "--kill-child", sys.executable, *sys.argv])
    # with a read-only sysfs, NetworkManager does not wait for udev
    subprocess.run("mount -t sysfs -o ro sysfs /sys && mount -t tmpfs tmpfs /run && ip link set lo up && "
                   f"mkdir -p /run/dbus /run/NetworkManager {OWN} && "
                   "for d in /etc/NetworkManager /var/lib/NetworkManager; do mount -t tmpfs tmpfs $d; done && "
                   f"mkdir -p -m 700 {PROFILES}", shell=True, check=True)
    write_config()
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/run/dbus/system_bus_socket"
    if "NMIB_LANGUAGE" in os.environ:
        learn(os.environ["NMIB_LANGUAGE"])
    os.environ.update(locale(), TERM="dumb")
    return NMCLI


def write_config():
    with open("/etc/NetworkManager/NetworkManager.conf", "w", encoding="utf-8") as f:
        f.write(CONFIG)


def for_anybody(program):
    """Returns a copy of the program that every user may run."""
    return shutil.copy(program, OWN)


@contextlib.contextmanager
def instead_of_nmcli(script):
    """Replaces the installed nmcli by a shell script, in which "$REAL" is the real nmcli."""
    real, fake = shutil.copy(NMCLI, f"{OWN}/real-nmcli"), f"{OWN}/fake-nmcli"
    with open(fake, "w", encoding="utf-8") as f:
        f.write(f"#!/bin/sh\nREAL={real}\n{script}\n")
    os.chmod(fake, 0o755)
    subprocess.run(["mount", "--bind", fake, NMCLI], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", NMCLI], check=True)


def minor(nmcli):
    """Returns x of nmcli's version 1.x."""
    says = subprocess.run([nmcli, "--version"], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"})
    return int(says.stdout.rsplit(" ", 1)[1].split(".")[1])


def wait_for(what, test):
    for _ in range(300):
        if test():
            return
        time.sleep(0.05)
    raise RuntimeError(f"{what}: not there after 15 s")


@contextlib.contextmanager
def bus():
    with open("/run/dbus/test.conf", "w", encoding="utf-8") as f:
        f.write(BUS)
    with subprocess.Popen(["dbus-daemon", "--config-file=/run/dbus/test.conf", "--nofork", "--nopidfile"],
                          stderr=subprocess.DEVNULL) as daemon:
        wait_for("bus", lambda: os.path.exists("/run/dbus/system_bus_socket"))
        try:
            yield
        finally:
            daemon.terminate()
    with contextlib.suppress(FileNotFoundError):
        os.unlink("/run/dbus/system_bus_socket")


@contextlib.contextmanager
def network_manager(nmcli, program="NetworkManager"):
    with subprocess.Popen([program, "--no-daemon"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as daemon:
        wait_for("NetworkManager", lambda: b"running" == subprocess.run(
            [nmcli, "-t", "-f", "RUNNING", "general"], capture_output=True, check=False).stdout.strip())
        try:
            yield daemon
        finally:
            with contextlib.suppress(ProcessLookupError):
                daemon.send_signal(signal.SIGCONT)
            daemon.terminate()
            daemon.wait()


def write_profile(name, text):
    path = f"{PROFILES}/{name}.nmconnection"
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write(text)
    return path


def write_many(count):
    """Writes profiles of P_Key children of ib0, like on a large fabric."""
    for i in range(1, count + 1):
        write_profile(f"p{i}", f"[connection]\nid=p{i}\nuuid=c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e{i:04x}\n"
                      f"type=infiniband\ninterface-name=ib0.{i + 0x8000:04x}\nautoconnect=false\n\n[infiniband]\n"
                      f"p-key={i + 0x8000}\nparent=ib0\ntransport-mode=datagram\n\n[ipv4]\nmethod=auto\n\n"
                      "[ipv6]\naddr-gen-mode=default\nmethod=auto\n\n[proxy]\n")
