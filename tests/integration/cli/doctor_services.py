#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""doctor_services.py NM-IB FAKE-SYSTEMD: findings of nm-ib doctor about units of systemd, and about the running plugin."""
import contextlib
import fcntl
import glob
import os
import shutil
import struct
import subprocess
import sys
import unittest

import live
import machine
import sandbox
from doctor_case import NMCLI, STATE, OnMachine

SYSTEMD = sys.argv.pop(1)
UNITS, PLUGIN = f"{sandbox.OWN}/units", "/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so"


class Services(OnMachine):
    def setUp(self):
        super().setUp()
        sandbox.write_profile("storage", f"[connection]\nid=storage\nuuid={live.UUID % 1}\ntype=infiniband\ninterface-name=storage0\n\n[infiniband]\ntransport-mode=datagram\n")
        subprocess.run([NMCLI, "connection", "reload"], check=True)
        self.healthy()
        self.units()
        machine.program("/usr/bin/journalctl", "exit 1")

    def units(self, *lines):
        machine.write(UNITS, "".join(f"{line}\n" for line in lines))

    def test_failed_units(self):
        self.units("opensm@1.service failed", "openibd.service active", "sshd.service failed", "nfs-server.service active")
        self.finds("unit-failed:opensm@1.service", 4)
        units = [f"{name}.service" for name in ("ibacm", "lnet", "nfs-server", "opafm", "openibd", "rdma-load-modules@x", "rdma-ndd", "srp_daemon")]
        self.units(*(f"{unit} failed" for unit in units))
        self.finds(" ".join(f"unit-failed:{unit}" for unit in units), 4)

    def test_openibd_beside_networkmanager(self):
        subprocess.run("ip address add 192.0.2.1/24 dev storage0", shell=True, check=True)
        sandbox.wait_for("storage0", lambda: "connected" in self.m.run("-g", "nm_state", "port").out)
        self.finds("", 0)
        self.units("openibd.service active")
        self.finds("openibd-too:openibd", 1)
        self.units("openibd.service inactive")
        self.finds("", 0)

    def test_srp_daemons(self):
        self.units("srp_daemon.service active", "srp_daemon_port@mlx5_0:1.service active", "srp_daemon_port@mlx5_1:1.service deactivating")
        self.finds("srp-daemon-inactive:mlx5_1/1", 1)
        self.units("srp_daemon.service inactive", "srp_daemon_port@mlx5_0:1.service active")
        self.finds("", 0)

    def test_end_of_wait_online(self):
        ready = 20000000
        self.records = [f"6,1,{ready},-;IPv6: ADDRCONF(NETDEV_CHANGE): storage0: link becomes ready"]
        for end, found in ((ready - 1000000, ""), (ready - 1000001, "wait-online-early:storage0"), (0, ""), (ready, "")):
            self.units(f"wait-online {end}")
            self.finds(found, 1 if found else 0)

    def test_unit_of_a_daemon_that_answers(self):
        machine.program("/usr/bin/systemctl", "case $3 in ActiveState) echo inactive ;; UnitFileState) echo enabled ;; esac")
        self.addCleanup(os.unlink, "/usr/bin/systemctl")
        self.finds("", 0)

    def test_plugin_that_was_replaced(self):
        machine.write(PLUGIN, "")
        machine.write("/usr/lib/NetworkManager/dispatcher.d/10-nm-ib", "", 0o755)
        self.addCleanup(os.unlink, PLUGIN)
        self.finds("plugin-not-loaded:NetworkManager", 1)
        machine.write(f"{STATE}/crash-marker", "0", 0o600)
        with open(f"{STATE}/crash-marker", "r+", encoding="ascii") as marker:
            fcntl.fcntl(marker, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
            self.finds("plugin-older:NetworkManager", 1) # the daemon maps a file that is gone


@contextlib.contextmanager
def systemd():
    with subprocess.Popen([SYSTEMD, UNITS], stdout=subprocess.PIPE) as daemon:
        daemon.stdout.readline()
        try:
            yield
        finally:
            daemon.terminate()


@contextlib.contextmanager
def daemon_with_deleted_plugin():
    """Any library with the plugin's name."""
    copy = f"{sandbox.OWN}/{os.path.basename(PLUGIN)}"
    shutil.copy(glob.glob("/usr/lib/*/libutil.so.1")[0], copy)
    machine.program(f"{sandbox.OWN}/daemon", f'LD_PRELOAD={copy} exec NetworkManager "$@"')
    with sandbox.network_manager(NMCLI, f"{sandbox.OWN}/daemon"):
        os.unlink(copy)
        yield


if __name__ == "__main__":
    with sandbox.bus(), systemd(), daemon_with_deleted_plugin():
        unittest.main()
