// SPDX-License-Identifier: LGPL-2.1-or-later
// Storage over RDMA: NFS and SRP.
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
using Severity = Trouble::Severity;
constexpr Trouble::Kind kinds[] = {
    {"nfs-rdma-not-listening", N_("the NFS server should listen for RDMA ({where}: {subject}), but listens on {value}"),
     N_("Clients that mount with rdma fail with 'Connection refused'. With rdma=y the server needs "
        "the name nfsrdma, which /etc/services often lacks, and the server logs no error. Other "
        "changes of nfs.conf take effect after a restart of nfs-server."),
     Trouble::By::command, "", "nfsconf --file {where} --set nfsd rdma 20049\nsystemctl restart nfs-server"},
    {"nfs-rdma-no-device", N_("/etc/fstab has {value} on {where} over RDMA, and this machine has no RDMA device"),
     N_("The mount fails with 'Protocol error'."), Trouble::By::hands,
     N_("A card: load its modules. An Ethernet interface: set rdma.soft-rdma to rxe in its "
        "profile (nm-ib connection modify), on the server too")},
    {"nfs-rdma-not-mounted", N_("/etc/fstab has {value} on {where} over RDMA, and it is not mounted"),
     N_("The error of mount shows the cause. 'Connection refused': the server does not listen for "
        "RDMA, or on another port. 'access denied': the card cannot register memory fast. mount "
        "waits: a firewall blocks UDP port 4791 (RoCE) or the service's TCP port (iWARP)."),
     Trouble::By::hands,
     N_("Mount the file system and read the error. On the server, nm-ib doctor reports whether "
        "it listens"),
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
    auto &t = all.emplace_back(Trouble{.kind = find_kind(kinds, "nfs-rdma-not-listening"),
                                       .severity = Severity::warning,
                                       .where = last.path,
                                       .subject = last.words});
    t.sentence = [ports](Translate translate) { return ports.empty() ? std::string(translate(N_("no port"))) : ports; };
    // A restart keeps the port of the file; a name that /etc/services lacks needs a number.
    if (!server.name_unknown) t.commands = {{"systemctl", "restart", "nfs-server"}};
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
            if (!is_active || device.is_fabric_managed || state == "active" || state == "activating" ||
                state == "failed")
                continue; // unit-failed
            all.push_back({.kind = find_kind(kinds, "srp-daemon-inactive"),
                           .severity = Severity::warning,
                           .where = device.label(port),
                           .subject = instance,
                           .value = state});
        }
}
} // namespace

const std::span<const Trouble::Kind> storage_kinds = kinds;

std::vector<Trouble> storage(const Host &host)
{
    std::vector<Trouble> all;
    judge_server(host.services.nfs_server, all);
    judge_mounts(host, all);
    judge_srp(host, all);
    return all;
}

} // namespace nmib::layer
