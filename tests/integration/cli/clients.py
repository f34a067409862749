#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""clients.py NM-IB [ROLE]: whether other clients keep the rdma.* words of a profile: nmcli, nm-connection-editor on an invisible
screen, and the module of the network role of Linux system roles in the directory ROLE, followed by the role of this project."""
import contextlib
import json
import os
import subprocess
import sys
import time
import unittest

import sandbox

NMCLI, NM_IB = sandbox.enter(), os.path.abspath(sys.argv.pop(1))
ROLE = sys.argv.pop(1) if len(sys.argv) > 1 else None
OURS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../../data/ansible")
WORDS = {
    "ethernet": {"rdma.roce-mode": "v2", "rdma.roce-tos": "106", "rdma.soft-rdma": "rxe"},
    "infiniband": {"rdma.vf-guids": "0=0002:c903:000a:0001,1=0002:c903:000a:0002", "rdma.skip": "yes"},
}
DISPLAY = ":97"


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout.strip()


def add(kind):
    with contextlib.suppress(RuntimeError):
        run(NMCLI, "connection", "delete", kind)
    run(NM_IB, "connection", "add", "type", kind, "con-name", kind, "ifname", "x0", "autoconnect", "no",
        *[w for pair in WORDS[kind].items() for w in pair])


def kept(name):
    found = {word: run(NM_IB, "-g", word, "connection", "show", name).replace("\\:", ":") for kind in WORDS for word in WORDS[kind]}
    return {word: value for word, value in found.items() if value}


@contextlib.contextmanager
def screen():
    with subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "1000x900x24", "-nolisten", "tcp"], stderr=subprocess.DEVNULL) as server:
        sandbox.wait_for("Xvfb", lambda: os.path.exists(f"/tmp/.X11-unix/X{DISPLAY[1:]}"))
        try:
            yield {**os.environ, "DISPLAY": DISPLAY, "NO_AT_BRIDGE": "1"}
        finally:
            server.terminate()


def type_into_editor(name, new, env):
    """Opens the profile in nm-connection-editor, changes its name, and clicks Save, at the bottom right."""
    uuid = run(NMCLI, "-g", "connection.uuid", "connection", "show", name)

    def x(*words):
        return run("xdotool", *words, env=env, timeout=60)

    with subprocess.Popen(["dbus-run-session", "--", "nm-connection-editor", f"--edit={uuid}"], env=env, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as editor:
        try:
            window = x("search", "--sync", "--onlyvisible", "--name", f"Editing {name}").split()[0]
            x("key", "--window", window, "alt+n")
            x("key", "ctrl+a")
            x("type", new)
            size = dict(line.split("=") for line in x("getwindowgeometry", "--shell", window).splitlines())
            x("mousemove", "--window", window, str(int(size["WIDTH"]) - 50), str(int(size["HEIGHT"]) - 24))
            time.sleep(0.5)
            x("click", "1")
            sandbox.wait_for("the new name", lambda: new in run(NMCLI, "-g", "NAME", "connection").split())
        finally:
            editor.terminate()


def network_role(kind, **profile):
    """Runs the module. Returns True if it reports a change."""
    profile = {"name": kind, **(profile or {"type": kind, "interface_name": "x0", "persistent_state": "present", "autoconnect": False})}
    said = run("ansible", "localhost", "-m", "network_connections", "-M", f"{ROLE}/library", "-a",
               json.dumps({"provider": "nm", "__header": "# by Ansible", "connections": [profile]}), "-o", "-e", "ansible_python_interpreter=/usr/bin/python3",
               env={**os.environ, "ANSIBLE_MODULE_UTILS": f"{ROLE}/module_utils", "LC_ALL": "C.UTF-8", "HOME": "/root"})
    return '"changed": true' in said


def our_role(kind, check=()):
    """Runs the role. Returns the number of tasks that changed something."""
    book = f"{sandbox.OWN}/play.yml"
    with open(book, "w", encoding="utf-8") as f:
        json.dump([{"hosts": "localhost", "gather_facts": False, "roles": [
            {"role": "nm_infiniband", "vars": {"nm_ib_package": "", "nm_ib_words": [{"profile": kind, "words": WORDS[kind]}]}}]}], f)
    said = run("ansible-playbook", book, "-c", "local", "-i", "localhost,", *check, "-e", "ansible_python_interpreter=/usr/bin/python3",
               env={**os.environ, "ANSIBLE_ROLES_PATH": OURS, "LC_ALL": "C.UTF-8", "HOME": "/root",
                    "PATH": f"{os.path.dirname(NM_IB)}:{os.environ['PATH']}"})
    return int(said.rsplit("changed=", 1)[1].split()[0])


class Clients(unittest.TestCase):
    def test_nmcli_keeps_the_words(self):
        for kind, words in WORDS.items():
            add(kind)
            run(NMCLI, "connection", "modify", kind, "connection.autoconnect-priority", "7", "ipv4.dns-priority", "9")
            self.assertEqual(kept(kind), words)
            run(NMCLI, "connection", "clone", kind, kind + "-2")
            self.assertEqual(kept(kind + "-2"), {}, "a clone is another profile")
            run(NMCLI, "connection", "delete", kind + "-2")

    def test_nm_connection_editor_keeps_the_words(self):
        with screen() as env:
            for kind, words in WORDS.items():
                add(kind)
                type_into_editor(kind, f"{kind}-edited", env)
                self.assertEqual(kept(f"{kind}-edited"), words)

    @unittest.skipUnless(ROLE, "the network role's directory was not named")
    def test_network_role_keeps_the_words(self):
        for kind, words in WORDS.items():
            with contextlib.suppress(RuntimeError):
                run(NMCLI, "connection", "delete", kind)
            self.assertTrue(network_role(kind))
            self.assertEqual(our_role(kind, check=["--check"]), 1)
            self.assertEqual(kept(kind), {})
            self.assertEqual(our_role(kind), 1)
            self.assertEqual(kept(kind), words)
            for _ in range(2):
                self.assertFalse(network_role(kind))
                self.assertEqual(our_role(kind), 0)
                self.assertEqual(our_role(kind, check=["--check"]), 0)
            self.assertTrue(network_role(kind, type=kind, interface_name="x0", persistent_state="present", autoconnect=False,
                                         autoconnect_retries=1))  # the role writes the whole profile again
            self.assertEqual(kept(kind), words)


os.makedirs("/etc/nm-infiniband", exist_ok=True)
run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/etc/nm-infiniband")
run("ip", "link", "add", "x0", "type", "veth", "peer", "name", "x1")  # the role needs the interface
with sandbox.bus(), sandbox.network_manager(NMCLI):
    unittest.main(verbosity=2)
