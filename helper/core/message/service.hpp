// SPDX-License-Identifier: LGPL-2.1-or-later
/// Other services and limits.
#pragma once
#include "core/message/kind.hpp"

namespace nmib::catalogue
{

inline constexpr Kind service_kinds[] = {
    {"networkmanager-stopped", N_("{where} is enabled, but not running"),
     N_("Interfaces keep their settings, but no program activates a profile or renews a lease."), By::hands,
     N_("The log has the reason; then start the daemon"),
     "journalctl -b -u NetworkManager\nsystemctl start NetworkManager"},
    {"plugin-not-loaded", N_("the device plugin is installed, and the running NetworkManager has not loaded it"),
     N_("Without the plugin, NetworkManager fails if the port does not support the settings of the "
        "profile. The dispatcher helper applies quirks only once the interface is up."),
     By::hands,
     N_("If the log shows that NetworkManager refused the plugin, correct the cause; if not, restart NetworkManager"),
     "journalctl -b -u NetworkManager -g nm-ib\nsystemctl restart NetworkManager"},
    {"dispatcher-refused", N_("{where}: nm-dispatcher refuses to run it"),
     N_("nm-dispatcher runs only files that root owns and only root can write. No program applies rdma.* words and, "
        "without the plugin, no program applies quirks."),
     By::fix, "", "chown root:root {where}\nchmod 755 {where}"},
    {"two-managers", N_("{where} is managed by NetworkManager and configured by systemd-networkd"),
     N_("Each program undoes the changes of the other: addresses are lost, the mode changes, the interface goes down."),
     By::hands, N_("In the [Match] of its .network file: Name=!{where}; or"), "nmcli device set {where} managed no"},
    {"openibd-too", N_("the vendor's service openibd is active beside NetworkManager"),
     N_("A restart of openibd unloads and loads the drivers. All interfaces are lost, and programs "
        "that use them fail."),
     By::hands,
     N_("If NetworkManager manages the interfaces, disable openibd, and never restart openibd from a script"),
     "systemctl disable openibd"},
    {"unit-failed", N_("{where} has failed"),
     N_("The RDMA task of the unit is not done: without opensm or opafm ports may stay inactive, "
        "without srp_daemon disks are missing."),
     By::hands, N_("The log has the reason; then restart the unit"),
     "journalctl -b -u {where}\nsystemctl restart {where}"},
    {"wait-online-early", N_("NetworkManager-wait-online ended {value} s before {where} had a carrier"),
     N_("The subnet manager gives a port its carrier seconds after the driver starts. Services "
        "that need the network started without it."),
     By::hands,
     N_("In a file below /etc/NetworkManager/conf.d, on a line each: [device-ib], match-device=type:infiniband and "
        "carrier-wait-timeout=60000")},
    {"known-fault", N_("{where} {version} has a known fault: {fault} ({source})"),
     N_("The fault depends on the version of the program."), By::hands, N_("Use a version without the fault")},
    {"memlock-small", N_("{where} (process {subject}) may lock {size} KiB of memory{setting}"),
     N_("RDMA needs memory that stays in place: registering more fails with 'Cannot allocate "
        "memory', also in jobs of the service."),
     By::hands,
     N_("For a service: under [Service], LimitMEMLOCK=infinity; it holds after a restart of the service. For users: it "
        "needs the group rdma (groupadd --system rdma; usermod -aG rdma USER), and holds after a new login")},
    {"plugin-older", N_("the running NetworkManager has loaded another version of the device plugin than is installed"),
     N_("The corrections of the new version are not in effect yet."), By::command, N_("Interfaces that are up stay up"),
     "systemctl restart NetworkManager"},
    {"selinux-label", N_("{where} has the SELinux label {value}, and its directory has another"),
     N_("SELinux enforces its policy and chooses by the label what the daemon and the dispatcher helper may do."),
     By::fix, "", "restorecon -RF {where}"},
    {"dispatcher-missing", N_("{where}, which nm-dispatcher runs, does not exist"),
     N_("No program applies rdma.* words and, without the plugin, no program applies quirks."), By::hands,
     N_("Install the package network-manager-infiniband (RPM: NetworkManager-infiniband) again, which has this file")},
};

} // namespace nmib::catalogue
