#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""doctor_faults.py NM-IB: the faults that nm-ib doctor finds in the files of a machine, without NetworkManager."""
import json
import os
import shutil
import subprocess
import unittest

import live
import machine
import sandbox
from doctor_case import GOOD_PCI, STATE, OnMachine
from machine import CARDS, DOWN, port_info


class Faulty(OnMachine):
    def setUp(self):
        super().setUp()
        self.m.files(CARDS, GOOD_PCI)
        self.card(0, "ib0", pci={**GOOD_PCI, "current_link_width": "4"})
        self.card(1, "ib1", carrier=False, **DOWN, sm_lid="0x0", lid="0x0", mads=("open 13",))
        self.card(2, "ib2", mads=(f"own {port_info()}",))
        self.card(3, "ib3", rate="200 Gb/sec (2X NDR)", mads=(f"own {port_info(lanes=(18, 18, 16))}", "node 11",
                                                            f"peer 17 {port_info(lanes=(18, 18, 16))}", "manager 1 0002c903000b0001"))
        subprocess.run("for i in 0 2; do ip address add 192.0.2.$((i + 1))/24 dev ib$i; done", shell=True, check=True)
        machine.write("/etc/fstab", "server:/x /mnt nfs rdma,port=20049 0 0\n")
        machine.write("/etc/sysconfig/network-scripts/ifcfg-ib0", "DEVICE=ib0\n")
        self.records = ["6,1,100,-;mlx5_core 0000:05:00.0: Port module event[error]: module 0, Cable error, High Temperature\n SUBSYSTEM=pci\n",
                        "3,2,200,-;rpcrdma: local length error\n", "garbage"]

    def test_output(self):
        self.expect(4, """\
error    mlx5_1/1 is down, and looks for a link (Polling) [port-polling]
         The cable is missing, or the device at the other end is off or set to
         another speed.
         => Plug in the cable, or check the switch or the other host; then:
            nm-ib port show mlx5_1/1
         interfaces without a carrier because of this problem: ib1
error    /etc/sysconfig/network-scripts/ifcfg-ib0 is for an InfiniBand
         interface, and has no TYPE=InfiniBand [ifcfg-without-type]
         NetworkManager takes the file for an Ethernet profile: the address of
         20 bytes does not match, and ifup reports 'mismatching interface name'.
         => Add TYPE=InfiniBand, drop NM_CONTROLLED=no; then:
            nmcli connection load /etc/sysconfig/network-scripts/ifcfg-ib0
warning  mlx5_0: the PCI link at 0000:05:00.0 runs at 32 GT/s x4 (126 Gbit/s),
         and can run at 32 GT/s x16 (504 Gbit/s) [pci-link-narrow]
         The traffic of all ports of the card shares this link.
         => Reseat the card, or use another slot; check the riser and the
            firmware settings. To see the link and PCI errors:
            lspci -vv -s 0000:05:00.0
            journalctl -k -b -g 0000:05:00.0
warning  ib0, ib2 share the IP subnet 192.0.2.0/24 [same-subnet]
         One route wins: all traffic into the subnet leaves through one of the
         interfaces, and each of them answers ARP for all. Bandwidth is lost,
         and RDMA connections to the other ports fail.
         => Give each port an IP subnet of its own. Or let each port answer ARP
            only for its own addresses, with a route and a rule of its own
warning  NFS over RDMA reported a length error: rpcrdma: local length error
         [nfs-rdma-length]
         In some kernels, NFS version 4 over RDMA sends more than the other end
         accepts.
         => Mount with vers=3, or install a newer kernel at both ends
warning  mlx5_0 reported a high temperature: mlx5_core 0000:05:00.0: Port module
         event[error]: module 0, Cable error, High Temperature [card-hot]
         A hot card or transceiver loses its link; in the end the card turns
         itself off.
         => Check fans and airflow; an optical cable needs more cooling than a
            copper one. The present temperature:
            sensors
warning  /etc/fstab has server:/x on /mnt over RDMA, and it is not mounted
         [nfs-rdma-not-mounted]
         The error of mount shows the cause. 'Connection refused': the server
         does not listen for RDMA, or on another port. 'access denied': the card
         cannot register memory fast. mount waits: a firewall blocks UDP port
         4791 (RoCE) or the service's TCP port (iWARP).
         => Mount the file system and read the error. On the server, nm-ib
            doctor reports whether it listens:
            mount /mnt
NetworkManager is not running: profiles were not checked.
""")
        self.expect(4, """\
error    mlx5_1/1 is down, and looks for a link (Polling) [port-polling]
         The cable is missing, or the device at the other end is off or set to
         another speed.
         => Plug in the cable, or check the switch or the other host; then:
            nm-ib port show mlx5_1/1
         interfaces without a carrier because of this problem: ib1
NetworkManager is not running: profiles were not checked.
""", "mlx5_1")
        self.expect(0, """\
No problem found (ports: 1, profiles: 0).
NetworkManager is not running: profiles were not checked.
""", "ib3")
        self.expect(2, """\
INFINIBAND CRITICAL - mlx5_1/1 is down, and looks for a link (Polling) [port-polling] (and 6 more), NetworkManager is not running | errors=2 warnings=5 ports=4 ignored=0
""", "--nagios")
        self.expect(0, """\
# HELP nm_ib_doctor_finding Number of findings of nm-ib doctor with an id at one place.
# TYPE nm_ib_doctor_finding gauge
nm_ib_doctor_finding{id="port-polling",severity="error",where="mlx5_1/1"} 1
nm_ib_doctor_finding{id="ifcfg-without-type",severity="error",where="/etc/sysconfig/network-scripts/ifcfg-ib0"} 1
nm_ib_doctor_finding{id="pci-link-narrow",severity="warning",where="mlx5_0"} 1
nm_ib_doctor_finding{id="same-subnet",severity="warning",where="ib0"} 1
nm_ib_doctor_finding{id="nfs-rdma-length",severity="warning",where="kernel"} 1
nm_ib_doctor_finding{id="card-hot",severity="warning",where="mlx5_0"} 1
nm_ib_doctor_finding{id="nfs-rdma-not-mounted",severity="warning",where="/mnt"} 1
# HELP nm_ib_doctor_findings Number of findings of nm-ib doctor.
# TYPE nm_ib_doctor_findings gauge
nm_ib_doctor_findings{severity="note"} 0
nm_ib_doctor_findings{severity="warning"} 5
nm_ib_doctor_findings{severity="error"} 2
# HELP nm_ib_doctor_ignored_findings Number of findings that --ignore and doctor.ignore leave out.
# TYPE nm_ib_doctor_ignored_findings gauge
nm_ib_doctor_ignored_findings 0
# HELP nm_ib_doctor_networkmanager_up Whether NetworkManager answered.
# TYPE nm_ib_doctor_networkmanager_up gauge
nm_ib_doctor_networkmanager_up 0
""", "--metrics")
        self.assertIn("\033[31merror\033[0m    ", self.answer(before=("--colors", "yes")).out)
        self.assertIn("\033[33mwarning\033[0m  ", self.answer(before=("--colors", "yes")).out)

    def test_json(self):
        whole = json.loads(self.answer("mlx5_1", "--json").out)
        self.assertEqual(whole["looked_at"], {"ports": 1, "profiles": 0, "root": True, "networkmanager": False, "names": True, "ignored": 0})
        self.assertEqual(whole["findings"], [{
            "id": "port-polling", "severity": "error", "where": "mlx5_1/1", "seen": "mlx5_1/1 is down, and looks for a link (Polling)",
            "why": "The cable is missing, or the device at the other end is off or set to another speed.",
            "mend": "Plug in the cable, or check the switch or the other host; then: nm-ib port show mlx5_1/1", "mended_by": "hands",
            "commands": [["nm-ib", "port", "show", "mlx5_1/1"]], "consequences": ["ib1"]}])
        named = self.answer("--json", "--ignore", "port-polling", "same-subnet:ib0", "card-hot:mlx5_9")
        self.assertEqual((json.loads(named.out)["looked_at"]["ignored"], named.code), (2, 4))


class Faults(OnMachine):
    """A fault on a healthy machine."""

    def setUp(self):
        super().setUp()
        self.healthy()

    def test_modules(self):
        for module in ("ib_umad", "ib_uverbs", "rdma_ucm"):
            os.rmdir(f"{self.m.top}/module/{module}")
        self.finds("", 0) # nothing shows whether this kernel has them
        self.addCleanup(shutil.rmtree, "/usr/lib/modules")
        files = "kernel/drivers/infiniband/core/ib_umad.ko.xz: kernel/x.ko\nkernel/drivers/infiniband/core/rdma_ucm.ko:\n"
        machine.write("/usr/lib/modules/other/modules.dep", files)
        self.finds("module-of-other-kernel:ib_umad module-of-other-kernel:rdma_ucm", 1)
        machine.write(f"/usr/lib/modules/{os.uname().release}/modules.dep", files)
        self.finds("no-umad-module:ib_umad module-not-built:ib_uverbs", 1)
        machine.write(f"/usr/lib/modules/{os.uname().release}/modules.builtin", "kernel/drivers/infiniband/core/ib_umad.ko\n")
        self.finds("module-not-built:ib_uverbs", 1)
        machine.write(f"/usr/lib/modules/{os.uname().release}/modules.dep", "")
        self.finds("module-not-built:ib_uverbs", 1)
        os.rmdir(f"{self.m.top}/module/ib_ipoib")
        self.finds("module-not-built:ib_uverbs", 1)

    def test_kernel_log(self):
        hot = "mlx5_core 0000:05:00.0: Port module event[error]: module 0, Cable error, High Temperature"
        length = "rpcrdma: local length error"
        for records in ([";x"], [f"6,1,x,-;{length}"], [f"6,1,5,{length}"], [f"6,1;{length}"], [f"6,1,5,-;nothing\n;{length}"]):
            self.records = records
            self.finds("", 0)
        self.records = ["broken", f"6,1,5,-;{hot}\n SUBSYSTEM=pci", "6,2,7,-;nothing", f"6,3,8;{length}"]
        self.finds("nfs-rdma-length:kernel card-hot:mlx5_0", 1)
        self.finds("card-hot:mlx5_0", 1, "mlx5_0")
        self.finds("", 0, "mlx5_1")

    def test_counters(self):
        port = f"{CARDS}/0000:05:00.0/infiniband/mlx5_0/ports/1/counters"
        self.m.files(port, {"symbol_error": "5", "link_downed": "1"})
        self.finds("", 0)
        with open(f"{STATE}/counters", encoding="ascii") as f:
            samples = json.load(f)
        self.assertEqual((len(samples), samples[0]["ports"]), (1, {"0002:c903:000a:0001": {"symbol_error": 5, "link_downed": 1}}))
        self.finds("", 0)
        for text in ("", "[{}]", "{}", '[{"seconds": "1"}]', '[{"seconds": 1, "ports": []}]', '[{"seconds": 1, "ports": {"0002:c903:000a:0001": 1}}]', "[1]"):
            machine.write(f"{STATE}/counters", text)
            self.finds("", 0)
        before = json.dumps([{"seconds": 1, "ports": {"0002:c903:000a:0001": {"symbol_error": 5, "link_downed": -1}}}])
        machine.write(f"{STATE}/counters", before)
        self.m.files(port, {"symbol_error": "5000000", "link_downed": "9"})
        self.finds("link-errors:mlx5_0/1", 1)
        self.finds("link-errors:mlx5_0/1", 1)
        os.chmod(f"{STATE}/counters", 0o666)
        self.finds("", 0)
        machine.write(f"{STATE}/counters", before)
        self.answer(become=live.USER)
        with open(f"{STATE}/counters", encoding="ascii") as f:
            self.assertEqual(f.read(), before)

    def test_limits(self):
        shutil.copy("/bin/sleep", f"{sandbox.OWN}/slurmd")
        with subprocess.Popen(["prlimit", "--memlock=65536:65536", f"{sandbox.OWN}/slurmd", "60"]) as process:
            try:
                sandbox.wait_for("slurmd", lambda: os.readlink(f"/proc/{process.pid}/exe").endswith("slurmd"))
                found = json.loads(self.answer("--json").out)["findings"]
                self.assertEqual([(f["id"], f["where"], "may lock 64 KiB of memory" in f["seen"]) for f in found], [("memlock-small", "slurmd", True)])
            finally:
                process.kill()

    def test_files_of_other_tools(self):
        machine.write("/etc/sysconfig/network-scripts/ifcfg-storage0", "DEVICE=storage0\n")
        self.finds("ifcfg-without-type:/etc/sysconfig/network-scripts/ifcfg-storage0", 4)
        machine.write("/etc/sysconfig/network-scripts/ifcfg-storage0", "DEVICE=storage0\nTYPE=InfiniBand\n")
        self.finds("", 0) # NetworkManager could read the file
        shutil.rmtree("/etc/sysconfig")
        cmdline = f"{sandbox.OWN}/cmdline"
        machine.write(cmdline, "quiet ifname=storage0:00:02:c9:0a:00:01\n")
        machine.mount(cmdline, "/proc/cmdline")
        self.addCleanup(subprocess.run, ["umount", "/proc/cmdline"], check=True)
        self.finds("boot-word-ethernet:/proc/cmdline", 1)
        machine.write(cmdline, "quiet ifname=storage0:00:02:c9:0a:00 ip=storage0:dhcp ifname=eth0:00:02:c9:0a:00:01\n")
        self.finds("", 0)

    def test_ifupdown2(self):
        machine.write("/etc/network/interfaces", "auto storage0\niface storage0 inet static\niface storage9\nnoface storage1 x\niface\n")
        self.finds("", 0)
        os.makedirs("/usr/share/ifupdown2")
        self.addCleanup(os.rmdir, "/usr/share/ifupdown2")
        self.finds("ifupdown2-infiniband:/etc/network/interfaces", 1)

    def test_mounts(self):
        machine.write("/etc/fstab", "server:/x /mnt nfs rdma,noauto 0 0\nserver:/x /mnt nfs tcp 0 0\n")
        self.finds("", 0)
        machine.write("/etc/fstab", "server:/x /mnt nfs rdma,port=20049 0 0\n")
        self.finds("nfs-rdma-not-mounted:/mnt", 1)

    def test_subnets(self):
        subprocess.run("ip address add 192.0.2.1/24 dev storage0; ip address add 192.0.2.2/24 dev storage1", shell=True, check=True)
        self.finds("same-subnet:storage0", 1)
        subprocess.run("""cd /proc/sys/net/ipv4/conf; for i in storage0 storage1; do echo 1 >$i/arp_ignore; echo 2 >$i/arp_announce; done
            ip rule add from 192.0.2.1 table 101; ip route add 192.0.2.0/24 dev storage0 table 101
            ip rule add from 192.0.2.2 table 102; ip route add 192.0.2.0/24 dev storage1 table 102""", shell=True, check=True)
        self.addCleanup(subprocess.run, "ip rule del table 101; ip rule del table 102", shell=True, check=True)
        self.finds("", 0)
        for setting, value, old in (("rp_filter", 1, 0), ("arp_announce", 1, 2), ("arp_ignore", 0, 1), ("arp_ignore", 8, 1)):
            path = f"/proc/sys/net/ipv4/conf/storage1/{setting}"
            subprocess.run(f"echo {value} >{path}", shell=True, check=True)
            self.finds("same-subnet:storage0", 1)
            subprocess.run(f"echo {old} >{path}", shell=True, check=True)
        subprocess.run("ip address del 192.0.2.1/24 dev storage0; ip address add 192.0.2.1/32 dev storage0", shell=True, check=True)
        self.finds("", 0)

    def test_verbs_and_functions(self):
        machine.write("/usr/lib64/libibverbs.so.1", "")
        self.m.files("class/infiniband_verbs/uverbs0", {"ibdev": "mlx5_0"})
        self.m.files("class/infiniband_verbs/abi_version", {"ibdev": "mlx5_0"})
        self.finds("no-verbs-node:uverbs0 no-verbs-provider:mlx5_0", 1)
        machine.write("/etc/libibverbs.d/mlx5.driver", "driver mlx5\n")
        self.finds("no-verbs-node:uverbs0", 1)
        shutil.rmtree("/etc/libibverbs.d")
        shutil.rmtree(f"{self.m.top}/class/infiniband_verbs")
        other = "devices/pci0000:80/0000:81:00.0"
        self.m.files(other, {"vendor": "0x15b3", "device": "0x1021", "class": "0x020700"})
        machine.link(f"{self.m.top}/bus/pci/devices/0000:81:00.0", f"{self.m.top}/{other}")
        self.finds("no-driver:0000:81:00.0", 4)
        machine.link(f"{self.m.top}/{other}/driver", f"{self.m.top}/bus/pci/drivers/mlx5_core")
        machine.link(f"{self.m.top}/bus/pci/drivers/mlx5_core/0000:81:00.0", f"{self.m.top}/{other}")
        self.finds("rdma-device-lost:0000:81:00.0", 4)
        os.makedirs(f"{self.m.top}/module/mlx_compat")
        self.finds("rdma-device-lost:0000:81:00.0", 4)

    def test_networkmanager_is_stopped(self):
        self.addCleanup(os.unlink, "/usr/bin/systemctl")
        for active, enabled, is_found in (("inactive", "enabled", True), ("failed", "enabled", True), ("inactive", "disabled", False),
                                          ("activating", "enabled", False)):
            machine.program("/usr/bin/systemctl", f'''[ "$*" = "show -P ActiveState -- NetworkManager.service" ] && echo {active}
                [ "$*" = "show -P UnitFileState -- NetworkManager.service" ] && echo {enabled}
                exit 0''')
            self.finds("networkmanager-stopped:NetworkManager.service" if is_found else "", 4 if is_found else 0)


if __name__ == "__main__":
    unittest.main()
