// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace nmib::layer
{

namespace
{
using Severity = Trouble::Severity;
constexpr Trouble::Kind kinds[] = {
    {"plugin-not-loaded", N_("the device plugin is installed, and the running NetworkManager has not loaded it"),
     N_("Without the plugin, NetworkManager fails if the port does not support the settings of the "
        "profile. The dispatcher helper applies quirks only once the interface is up."),
     Trouble::By::hands,
     N_("If the log shows that NetworkManager refused the plugin, correct the cause; if not, restart NetworkManager"),
     "journalctl -b -u NetworkManager -g nm-ib\nsystemctl restart NetworkManager"},
    {"dispatcher-refused", N_("{where}: nm-dispatcher refuses to run it"),
     N_("nm-dispatcher runs only files that root owns and only root can write. Without the plugin, no program applies "
        "quirks."),
     Trouble::By::fix, "", "chown root:root {where}\nchmod 755 {where}"},
    {"two-managers", N_("{where} is managed by NetworkManager and configured by systemd-networkd"),
     N_("Each program undoes the changes of the other: addresses are lost, the mode changes, the interface goes down."),
     Trouble::By::hands, N_("In the [Match] of its .network file: Name=!{where}; or"),
     "nmcli device set {where} managed no"},
    {"openibd-too", N_("the vendor's service openibd is active beside NetworkManager"),
     N_("A restart of openibd unloads and loads the drivers. All interfaces are lost, and programs "
        "that use them fail."),
     Trouble::By::hands,
     N_("If NetworkManager manages the interfaces, disable openibd, and never restart openibd from a script"),
     "systemctl disable openibd"},
    {"unit-failed", N_("{where} has failed"),
     N_("The RDMA task of the unit is not done: without opensm or opafm no port may become active, "
        "without srp_daemon disks are missing."),
     Trouble::By::hands, N_("The log has the reason; then restart the unit"),
     "journalctl -b -u {where}\nsystemctl restart {where}"},
    {"wait-online-early", N_("NetworkManager-wait-online ended {value} s before {where} had a carrier"),
     N_("The subnet manager gives a port its carrier seconds after the driver starts. Services "
        "that need the network started without it."),
     Trouble::By::hands,
     N_("In /etc/NetworkManager/conf.d/ib.conf: [device-ib] match-device=type:infiniband carrier-wait-timeout=60000")},
    {"memlock-small", N_("{where} (process {subject}) may lock {value} of memory"),
     N_("RDMA needs memory that stays in place: registering more fails with 'Cannot allocate "
        "memory', also in jobs of the service."),
     Trouble::By::hands,
     N_("A new limit holds after a restart of the service, and for users (group rdma) after a new login")},
    {"modules-of-two-stacks", N_("the kernel refused a module: {value}"),
     N_("The module was built for another RDMA stack than the loaded stack (the kernel's and the "
        "vendor's stack do not mix)."),
     Trouble::By::hands, N_("Build the module again for the loaded stack, or remove the vendor's stack")},
    {"module-not-signed", N_("the kernel refused a module: {value}"),
     N_("With Secure Boot the kernel loads signed modules only. Modules that dkms builds are not signed."),
     Trouble::By::hands, N_("mokutil --import the key of dkms and reboot; or use the kernel's own drivers")},
    {"nfs-rdma-length", N_("kernel log: {value}"),
     N_("In some kernels, NFS version 4 over RDMA sends more than the other end accepts."), Trouble::By::hands,
     N_("Mount with vers=3, or a newer kernel at both ends")},
    {"plugin-older", N_("the running NetworkManager has loaded another version of the device plugin than is installed"),
     N_("The corrections of the new version are not in effect yet."), Trouble::By::command,
     N_("Interfaces that are up stay up"), "systemctl restart NetworkManager"},
    {"selinux-label", N_("{where} has the SELinux label {value}, and its directory has another"),
     N_("SELinux enforces its policy and chooses by the label what the daemon and the dispatcher helper may do."),
     Trouble::By::fix, "", "restorecon -RF {where}"},
    {"dispatcher-missing", N_("{where}, which nm-dispatcher runs, does not exist"),
     N_("Without the plugin, no program applies quirks and rdma.* words."), Trouble::By::hands,
     N_("Install the package nm-infiniband again, which has this file")},
    {"selinux-denied", N_("kernel log: {value}"),
     N_("SELinux denied this to the dispatcher helper or to nm-ib, and the denied change is not made."),
     Trouble::By::hands,
     N_("Restore the labels. If the denial comes again, the policy lacks a rule, which the log shows"),
     "restorecon -RF /usr/lib/NetworkManager /usr/libexec/nm-infiniband /run/NetworkManager\njournalctl -k -b -g avc"},
    {"nfs-rdma-no-registration", N_("kernel log: {value}"),
     N_("NFS over RDMA needs a card that registers memory fast (frwr); mounts through another card "
        "end with 'access denied by server'."),
     Trouble::By::hands,
     N_("Mount without rdma, or through another card; software HCAs: rdma.soft-rdma rxe in the profile")},
    {"nfs-rdma-not-listening", N_("the NFS server should listen for RDMA ({where}: {subject}), but listens on {value}"),
     N_("Clients that mount with rdma fail with 'Connection refused'. With rdma=y the server needs "
        "the name nfsrdma, which /etc/services often lacks, and the server logs no error. Other "
        "changes of nfs.conf take effect after a restart of nfs-server."),
     Trouble::By::command, "", "nm-ib host nfs-server rdma --now"},
    {"nfs-rdma-no-device", N_("/etc/fstab has {value} on {where} over RDMA, and this machine has no RDMA device"),
     N_("The mount fails with 'Protocol error'."), Trouble::By::hands,
     N_("A card: load its modules (nm-ib host modules auto). An Ethernet interface: set rdma.soft-rdma to rxe in its "
        "profile (nm-ib connection modify), on the server too")},
    {"nfs-rdma-not-mounted", N_("/etc/fstab has {value} on {where} over RDMA, and it is not mounted"),
     N_("The error of mount shows the cause. 'Connection refused': the server does not listen for "
        "RDMA, or on another port. 'access denied': the card cannot register memory fast. mount "
        "waits: a firewall blocks UDP port 4791 (RoCE) or the service's TCP port (iWARP)."),
     Trouble::By::hands,
     N_("Mount the file system and read the error. On the server, nm-ib host nfs-server rdma --now "
        "starts the listener and prints the line for fstab"),
     "mount {where}"},
    {"nfs-rdma-over-tcp", N_("/etc/fstab has {value} on {where} over RDMA, but it is mounted without RDMA"),
     N_("The file system was mounted before the line changed, or by another program. All its traffic uses TCP."),
     Trouble::By::hands, N_("Once no program uses the file system"), "umount {where}\nmount {where}"},
    {"srp-daemon-inactive",
     N_("{where} is active, but its SRP daemon is not ({value}), although srp_daemon.service is active"),
     N_("No program logs in to the storage targets of the subnet: their disks are missing. The "
        "daemon ends without an error where libibverbs does not find the device."),
     Trouble::By::hands, N_("The log has the reason; then start the daemon"),
     "journalctl -b -u srp_daemon_port@{subject}\nsystemctl start srp_daemon_port@{subject}"},
};

struct LogPattern {
    const Trouble::Kind *kind;
    std::string_view first, second; ///< the line has both
};
constexpr LogPattern patterns[] = {
    {find_kind(kinds, "modules-of-two-stacks"), "disagrees about version of symbol ib_", ""},
    {find_kind(kinds, "modules-of-two-stacks"), "disagrees about version of symbol rdma_", ""},
    {find_kind(kinds, "module-not-signed"), "mlx", "is rejected"},
    {find_kind(kinds, "module-not-signed"), "ib_", "is rejected"},
    {find_kind(kinds, "module-not-signed"), "Lockdown: modprobe: unsigned module", ""},
    {find_kind(kinds, "module-not-signed"), "Loading of unsigned module is rejected", ""},
    {find_kind(kinds, "nfs-rdma-length"), "rpcrdma", "local length error"},
    {find_kind(kinds, "nfs-rdma-length"), "RPC:", "local length error"},
    {find_kind(kinds, "selinux-denied"), "avc:  denied", "comm=\"nm-ib"},
    {find_kind(kinds, "selinux-denied"), "avc:  denied", "comm=\"10-nm-ib"},
    {find_kind(kinds, "nfs-rdma-no-registration"), "rpcrdma: 'frwr' mode is not supported", ""},
};

std::string seconds(std::uint64_t usec) { return std::to_string((usec + 500'000) / 1'000'000); }

std::optional<std::uint64_t> first_carrier(const std::vector<KernelLine> &log, const std::string &interface)
{
    for (const auto &line : log)
        if (line.text.find(" " + interface + ": link becomes ready") != std::string::npos) return line.usec;
    return {};
}

void judge_log(const Services &s, std::vector<Trouble> &all)
{
    std::set<const Trouble::Kind *> reported; // one report for each kind
    for (const auto &line : s.log)
        for (const auto &p : patterns)
            if (line.text.find(p.first) != line.text.npos && line.text.find(p.second) != line.text.npos &&
                line.text.find("permissive=1") == line.text.npos && reported.insert(p.kind).second)
                all.push_back({.kind = p.kind, .severity = Severity::warning, .where = "kernel", .value = line.text});
}

void judge_server(const NfsServer &server, std::vector<Trouble> &all)
{
    if (!server.runs || server.files.empty() || (server.wanted.empty() && !server.name_unknown)) return;
    const auto is_there = [&](unsigned port) {
        return std::find(server.listeners.begin(), server.listeners.end(), port) != server.listeners.end();
    };
    if (!server.name_unknown && std::all_of(server.wanted.begin(), server.wanted.end(), is_there)) return;
    std::string ports;
    for (const auto port : server.listeners) ports += (ports.empty() ? "" : ", ") + std::to_string(port);
    const auto &last = server.files.back();
    all.push_back({.kind = find_kind(kinds, "nfs-rdma-not-listening"),
                   .severity = Severity::warning,
                   .where = last.path,
                   .subject = last.words,
                   .value = ports.empty() ? "none" : ports});
}

void judge_mounts(const Host &host, std::vector<Trouble> &all)
{
    for (const auto &m : host.services.nfs_mounts) {
        if (!m.in_fstab || m.over_rdma || (!m.mounted && !m.automatic)) continue;
        const auto kind = m.mounted              ? find_kind(kinds, "nfs-rdma-over-tcp")
                          : host.devices.empty() ? find_kind(kinds, "nfs-rdma-no-device")
                                                 : find_kind(kinds, "nfs-rdma-not-mounted");
        all.push_back({.kind = kind, .severity = Severity::warning, .where = m.where, .value = m.what});
    }
}

void judge_srp(const Host &host, std::vector<Trouble> &all)
{
    if (!host.services.srp_daemon) return;
    for (const auto &device : host.devices)
        for (const auto &port : device.ports) {
            const bool is_active =
                port.layer && *port.layer == LinkLayer::infiniband && port.state && *port.state == PortState::active;
            const auto instance = device.name + ":" + std::to_string(port.number);
            const auto daemon = host.services.srp_daemons.find(instance);
            const auto state = daemon == host.services.srp_daemons.end() ? "inactive" : daemon->second;
            if (!is_active || state == "active" || state == "activating" || state == "failed") continue; // unit-failed
            all.push_back({.kind = find_kind(kinds, "srp-daemon-inactive"),
                           .severity = Severity::warning,
                           .where = device.label(port),
                           .subject = instance,
                           .value = state});
        }
}
} // namespace

const std::span<const Trouble::Kind> service_kinds = kinds;

std::vector<Trouble> service(const Host &host)
{
    std::vector<Trouble> all;
    const auto &s = host.services;
    const auto add = [&](const Trouble::Kind *kind, Severity severity, std::string where = {},
                         std::string value = {}) -> Trouble & {
        return all.emplace_back(
            Trouble{.kind = kind, .severity = severity, .where = std::move(where), .value = std::move(value)});
    };
    if (s.plugin_installed && !s.plugin_loaded)
        add(find_kind(kinds, "plugin-not-loaded"), Severity::warning, "NetworkManager");
    if (s.plugin_replaced) add(find_kind(kinds, "plugin-older"), Severity::warning, "NetworkManager");
    if (!s.missing_dispatcher.empty())
        add(find_kind(kinds, "dispatcher-missing"), Severity::error, s.missing_dispatcher);
    if (!s.refused_dispatcher.empty())
        add(find_kind(kinds, "dispatcher-refused"), Severity::error, s.refused_dispatcher);
    for (const auto &[path, type] : s.mislabelled) add(find_kind(kinds, "selinux-label"), Severity::error, path, type);
    for (const auto &name : s.networkd)
        if (s.managed.contains(name)) add(find_kind(kinds, "two-managers"), Severity::error, name);
    if (s.openibd && !s.managed.empty()) add(find_kind(kinds, "openibd-too"), Severity::warning, "openibd");
    for (const auto &unit : s.failed_units) add(find_kind(kinds, "unit-failed"), Severity::error, unit);
    for (const auto &name : host.wanted) {
        const auto ready = first_carrier(s.log, name);
        if (ready && s.wait_online_end && *ready > *s.wait_online_end + 1'000'000)
            add(find_kind(kinds, "wait-online-early"), Severity::warning, name, seconds(*ready - *s.wait_online_end));
    }
    constexpr std::uint64_t enough = 64ULL << 20; // a smaller limit is a default, not a decision
    for (const auto &l : s.limits) {
        if (l.bytes >= enough) continue;
        auto &t =
            add(find_kind(kinds, "memlock-small"), Severity::warning, l.name, std::to_string(l.bytes >> 10) + " KiB");
        t.subject = std::to_string(l.pid) + (l.unit.empty() ? "" : ", " + l.unit);
        const bool is_service = l.unit.ends_with(".service") && !l.unit.starts_with("user@");
        t.commands = {{"nm-ib", "host", "memlock", is_service ? l.unit : "@rdma", "unlimited"}};
        if (is_service) t.commands->push_back({"systemctl", "restart", l.unit});
    }
    judge_log(s, all);
    return all;
}

std::vector<Trouble> storage(const Host &host)
{
    std::vector<Trouble> all;
    judge_server(host.services.nfs_server, all);
    judge_mounts(host, all);
    judge_srp(host, all);
    return all;
}

} // namespace nmib::layer
