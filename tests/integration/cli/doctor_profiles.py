#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""doctor_profiles.py NM-IB: findings of nm-ib doctor about profiles, and the changes of --fix, with the real NetworkManager."""
import json
import os
import shutil
import socket
import subprocess
import unittest

import live
import machine
import sandbox
from doctor_case import NMCLI, OnProfiles, profile


class Profiles(OnProfiles):
    def test_profile_of_a_port(self):
        self.reload(storage=profile(1, "storage"))
        self.expect(0, "No problem found (ports: 2, profiles: 1).\n")
        self.expect(0, "No problem found (ports: 1, profiles: 1).\n", "storage")
        self.expect(0, "INFINIBAND OK - ports: 2, profiles: 1 | errors=0 warnings=0 ports=2 ignored=0\n", "--nagios")
        self.assertEqual(json.loads(self.answer("--json").out)["looked_at"]["profiles"], 1)

    def test_profile_for_any_interface(self):
        text = profile(1, "any", "mac-address=80:00:00:48:FE:80:00:00:00:00:00:00:00:02:C9:03:00:0A:00:11\n").replace("interface-name=storage0\n", "")
        self.reload(any=text, child=profile(2, "child", "p-key=32767\nparent=storage1\n").replace("interface-name=storage0\n", ""))
        self.expect(0, "No problem found (ports: 1, profiles: 0).\n", "mlx5_0")
        self.expect(0, "No problem found (ports: 1, profiles: 2).\n", "mlx5_1")

    def test_profile_without_an_interface(self):
        self.reload(nowhere=profile(1, "nowhere", interface="ib77", autoconnect="true"), storage=profile(2, "storage"))
        self.expect(1, """\
warning  profile 'nowhere' is for ib77, which does not exist
         [profile-without-interface]
         The profile cannot be activated. A profile with autoconnect waits
         without a message.
         => Give the port a stable name (nm-ib name set), or change the
            profile's interface-name, or the parent of its P_Key. To see the
            interfaces:
            nm-ib port
""")
        self.finds("profile-without-interface:ib77", 1, "nowhere")
        self.assertEqual(self.ids("storage"), ("", 0))
        self.finds("profile-without-interface:ib77", 1, live.UUID % 1)
        self.expect(10, "", "other", err="""\
Error: other: no such port, interface of a port, or profile
To list the ports:
  nm-ib port
""")

    def test_key_that_looks_decimal(self):
        machine.write(f"{self.m.top}/{machine.CARDS}/0000:05:00.0/infiniband/mlx5_0/ports/1/pkeys/1", "0x8002\n")
        self.reload(decimal=profile(1, "decimal", "p-key=8002\nparent=storage0\n", "storage0.1f42"))
        self.expect(4, """\
error    profile 'decimal' has the P_Key 8002, read as a decimal number; the
         port of storage0 has 0x8002 [pkey-looks-decimal]
         Without 0x a P_Key is decimal: the profile names another partition, and
         the port is not a member of that partition.
         => nm-ib connection modify uuid c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001 infiniband.p-key 0x8002
""")
        self.expect(4, """\
Nothing to fix.
error    profile 'decimal' has the P_Key 8002, read as a decimal number; the
         port of storage0 has 0x8002 [pkey-looks-decimal]
         Without 0x a P_Key is decimal: the profile names another partition, and
         the port is not a member of that partition.
         => nm-ib connection modify uuid c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001 infiniband.p-key 0x8002
""", "--fix", "keyfile-broken", "--yes")
        self.expect(0, """\
profile 'decimal' has the P_Key 8002, read as a decimal number; the port of storage0 has 0x8002 [pkey-looks-decimal]
    nm-ib connection modify uuid c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001 infiniband.p-key 0x8002
No problem found (ports: 2, profiles: 1).
""", "--fix", "pkey-looks-decimal", "--yes")
        with open(f"{sandbox.PROFILES}/decimal.nmconnection", encoding="utf-8") as f:
            self.assertIn("p-key=32770\n", f.read())

    def test_ethernet_profile(self):
        self.reload(wrong=f"[connection]\nid=wrong\nuuid={live.UUID % 1}\ntype=ethernet\ninterface-name=storage0\nautoconnect=false\n")
        self.expect(4, """\
error    profile 'wrong' is of type ethernet, and storage0 is an InfiniBand
         interface [ethernet-profile-on-infiniband]
         NetworkManager never activates the profile there. Tools that support
         only addresses of 6 bytes write such profiles.
         => Make a profile of type infiniband for storage0, with the addresses
            of this profile, and delete this one. Its addresses:
            nmcli -f ipv4,ipv6 connection show uuid c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001
""")

    def test_vlan_on_a_port(self):
        self.reload(vlan=f"[connection]\nid=vlan\nuuid={live.UUID % 1}\ntype=vlan\nautoconnect=false\n[vlan]\nid=7\nparent=storage0\n")
        self.finds("not-carried:storage0", 4)

    def test_bond(self):
        bond = f"[connection]\nid=bond0\nuuid={live.UUID % 1}\ntype=bond\ninterface-name=bond0\nautoconnect=false\n[bond]\nmode=802.3ad\n"
        for number, controller in enumerate((live.UUID % 1, "bond0"), 2):
            port = profile(number, f"port{number}", interface="storage1").replace("\n\n[inf", f"\nmaster={controller}\nslave-type=bond\n\n[inf").split("[ipv4]")[0]
            self.reload(bond=bond, **{f"port{number}": port})
            self.assertIn(f"profile 'port{number}' makes storage1 a port of a bond with mode 802.3ad", self.answer().out.replace("\n         ", " "))
        os.unlink(f"{sandbox.PROFILES}/port3.nmconnection")
        self.reload()
        self.expect(4, """\
error    profile 'port2' makes storage1 a port of a bond with mode 802.3ad
         [bond-not-active-backup]
         IPoIB interfaces work in a bond of mode active-backup only: they cannot
         change their address.
         => In effect once the bond is activated again:
            nmcli connection modify uuid c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001 bond.options mode=active-backup,miimon=100
""")
        self.reload(bond=bond.replace("mode=802.3ad\n", "miimon=100\n"))
        self.assertIn("a bond with mode balance-rr", self.answer().out)
        self.reload(bond=bond.replace("802.3ad", "active-backup"))
        self.finds("", 0)

    def test_mac_address_of_another_port(self):
        address = "80:00:00:48:FE:80:00:00:00:00:00:00:00:02:C9:03:00:0A:00:11"
        self.reload(other=profile(1, "other", f"mac-address={address}\n"))
        self.expect(4, """\
error    storage0: profile 'other' has the mac-address of another port;
         NetworkManager does not activate it here [profile-for-other-port]
         NetworkManager compares the port's GUID in the address, and never
         activates the profile here.
         => nm-ib connection modify uuid c1f5ab11-7a52-4fd0-9f5b-5f8e4d8e0001 infiniband.mac-address ''
""")

    def test_reason_of_a_failed_activation(self):
        self.reload(storage=profile(1, "storage", autoconnect="true"))
        failed = "device (storage0): state change: config -> failed (reason '%s', sys-iface-state: 'managed')"
        last = "device (storage0): Activation: failed for connection 'storage'"
        for lines, reason in (((failed % "ip-config-unavailable", last), "ip-config-unavailable"), ((failed % "ip-config-unavailable",), ""),
                              ((failed % "no-secrets", last), "no-secrets"), ((failed % "dhcp-failed", last, "device (storage0): state change: x -> activated"), ""),
                              ((failed.replace("storage0", "storage1") % "dhcp-failed", last.replace("storage0", "storage1")), ""),
                              ((failed % "dhcp-failed", last.replace("storage'", "other'")), ""), ((last,), ""),
                              ((failed % "dhcp-failed", failed.replace("storage0", "storage1") % "no-secrets", last), "dhcp-failed")):
            machine.program("/usr/bin/journalctl", "cat <<'END'\n" + "\n".join(lines) + "\nEND")
            found = json.loads(self.answer("storage", "--json").out)["findings"]
            dhcp = "this port sends 20:00:02:c9:03:00:0a:00:01 by default; programs that shorten this to 6 bytes show 00:02:c9:0a:00:01."
            self.assertEqual([(f["id"], dhcp in f["why"], reason in f["seen"]) for f in found],
                             [("activation-failed", False, True) if reason == "no-secrets" else ("no-dhcp-answer", True, False)] if reason else [], lines)
        machine.program("/usr/bin/journalctl", "exit 1")
        self.assertEqual(self.ids("storage"), ("", 0))

    def test_parts_of_the_package(self):
        plugin, entry = "/usr/lib/nm-infiniband/libnm-device-plugin-infiniband.so", "/usr/lib/NetworkManager/dispatcher.d/10-nm-ib"
        machine.write(plugin, "")
        self.addCleanup(os.unlink, plugin)
        self.expect(4, """\
error    /usr/lib/NetworkManager/dispatcher.d/10-nm-ib, which nm-dispatcher
         runs, does not exist [dispatcher-missing]
         No program applies rdma.* words and, without the plugin, no program
         applies quirks.
         => Install the package network-manager-infiniband (RPM:
            NetworkManager-infiniband) again, which has this file
warning  the device plugin is installed, and the running NetworkManager has not
         loaded it [plugin-not-loaded]
         Without the plugin, NetworkManager fails if the port does not support
         the settings of the profile. The dispatcher helper applies quirks only
         once the interface is up.
         => If the log shows that NetworkManager refused the plugin, correct the
            cause; if not, restart NetworkManager:
            journalctl -b -u NetworkManager -g nm-ib
            systemctl restart NetworkManager
""")
        loaded = "plugin-not-loaded:NetworkManager"
        for mode in (0o755, 0o775, 0o757, 0o4755, 0o644):
            machine.write(entry, "")
            os.chmod(entry, mode)
            self.finds(loaded if mode == 0o755 else f"dispatcher-refused:{entry} {loaded}", 1 if mode == 0o755 else 4)
        os.chmod(entry, 0o755)
        os.chown(entry, 1, 0)
        self.finds("dispatcher-refused:/usr/lib/NetworkManager/dispatcher.d/10-nm-ib plugin-not-loaded:NetworkManager", 4)
        os.unlink(entry)
        os.symlink("/dev/null", entry)
        self.finds("plugin-not-loaded:NetworkManager", 1)
        os.unlink(entry)

    def test_priorities_of_roce(self):
        roce = self.m.hca("mlx5_9", f"{machine.CARDS}/0000:82:00.0", pci={"class": "0x020000"})
        self.m.port(roce, link_layer="Ethernet", state="4: ACTIVE", phys_state="5: LinkUp", rate="100 Gb/sec (4X EDR)",
                    **{"gids/0": "fe80:0000:0000:0000:0202:c9ff:fe0a:0031", "gid_attrs/types/0": "RoCE v2", "gid_attrs/ndevs/0": "eth1"})
        subprocess.run("ip link add eth1 type veth peer name eth2 && ip link set eth1 up && ip link set eth2 up", shell=True, check=True)
        self.addCleanup(subprocess.run, "ip link delete eth1", shell=True, check=True)
        added = self.m.run("connection", "add", "type", "ethernet", "con-name", "roce", "ifname", "eth1", "autoconnect", "no", "rdma.roce-tos", "106")
        self.assertEqual(added.code, 0, added)
        off, on = "false," * 7 + "false", "false,false,false,true" + ",false" * 4
        for app, pfc, found in (("{}", off, "roce-tos-unmapped"), ('{"dscp_prio":[[24,3]]}', off, "roce-tos-unmapped"), ('{"dscp_prio":[[26,3]]}', off, "roce-no-pfc"),
                                ('{"dscp_prio":[[26,3," "]]}', on, ""), ('{"dgram_port_prio":[[4791,3]]}', on, ""), ('{"dgram_port_prio":[[4791,2]]}', on, "roce-no-pfc"),
                                ('{"dscp_prio":[[26,8]]}', off, ""), ('{"dscp_prio":[[64,3]]}', off, ""), ('{"dscp_prio":[[26]]}', off, ""), ("broken", off, ""),
                                ('{"dscp_prio":[[26,3]]}', "false", ""), ('{"dscp_prio":[[26,3]]}', "1,1,1,1,1,1,1,1", ""), ('{"dscp_prio":[[26,3],[26,2]]}', on, "roce-no-pfc")):
            machine.program("/usr/sbin/dcb", f"""[ "$*" = "-j app show dev eth1" ] && echo '{app}'
                [ "$*" = "-j pfc show dev eth1" ] && echo '{{"prio_pfc":[{pfc}]}}'
                exit 0""")
            self.assertEqual([f["id"] for f in json.loads(self.answer("roce", "--json").out)["findings"] if "local-only" not in f["id"]], [found] if found else [], app)
        machine.program("/usr/sbin/dcb", "echo '{}'; exit 1")
        self.finds("roce-link-local-only:mlx5_9/1", 0, "roce")

    def test_two_managers(self):
        machine.write(f"/run/systemd/netif/links/{socket.if_nametoindex('storage0')}", "ADMIN_STATE=configured\n")
        self.addCleanup(shutil.rmtree, "/run/systemd")
        machine.write(f"/run/systemd/netif/links/{socket.if_nametoindex('storage1')}", "ADMIN_STATE=configured\n") # NetworkManager does not manage it
        subprocess.run("ip address add 192.0.2.1/24 dev storage0", shell=True, check=True)
        sandbox.wait_for("storage0", lambda: "connected" in self.m.run("-g", "nm_state", "port").out)
        self.finds("two-managers:storage0", 4)
        for text in ("ADMIN_STATE=unmanaged\n", "OPER_STATE=up\n"):
            machine.write(f"/run/systemd/netif/links/{socket.if_nametoindex('storage0')}", text)
            self.finds("", 0)


if __name__ == "__main__":
    with sandbox.bus(), sandbox.network_manager(NMCLI):
        unittest.main()
