// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
using Severity = Trouble::Severity;
constexpr Trouble::Kind kinds[] = {
    {"nfs-rdma-not-listening", N_("the NFS server is to listen for RDMA ({where}: {subject}), and listens on {value}"),
     N_("Clients that mount with rdma are told 'Connection refused'. With rdma=y the server looks for the name "
        "nfsrdma, "
        "which /etc/services often has not, and nobody says so; other words are in effect after a restart."),
     Trouble::By::command, "", "nm-ib host nfs-server rdma --now"},
    {"nfs-rdma-no-device", N_("/etc/fstab has {value} on {where} over RDMA, and this machine has no RDMA device"),
     N_("The mount fails with 'Protocol error'."), Trouble::By::hands,
     N_("A card: load its modules (nm-ib host modules auto). An Ethernet interface: set rdma.soft-rdma to rxe in its "
        "profile (nm-ib connection modify), on the server too")},
    {"nfs-rdma-not-mounted", N_("/etc/fstab has {value} on {where} over RDMA, and it is not mounted"),
     N_("What mount says tells why. 'Connection refused': the server does not listen for RDMA, or on another port. "
        "'access denied': the card cannot register memory fast. It waits: a firewall, of UDP port 4791 (RoCE) or the "
        "service's TCP port (iWARP)."),
     Trouble::By::hands,
     N_("Mount it and read the answer; nm-ib host nfs-server rdma --now, on the server, makes it listen and prints the "
        "line for fstab"),
     "mount {where}"},
    {"nfs-rdma-over-tcp", N_("/etc/fstab has {value} on {where} over RDMA, and it is mounted without it"),
     N_("The file system was mounted before the line changed, or by another program. All its traffic uses TCP."),
     Trouble::By::hands, N_("Once no program uses it"), "umount {where}\nmount {where}"},
    {"srp-daemon-inactive", N_("{where} is active, and its SRP daemon is not ({value}), though srp_daemon.service is"),
     N_("Nobody logs in to the storage targets of its subnet: their disks are not there. The daemon ends without an "
        "error "
        "where libibverbs does not find the device."),
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
    all.push_back({.kind = &kinds[0],
                   .severity = Severity::warning,
                   .where = last.path,
                   .subject = last.words,
                   .value = ports.empty() ? "none" : ports});
}

void judge_mounts(const Host &host, std::vector<Trouble> &all)
{
    for (const auto &m : host.services.nfs_mounts) {
        if (!m.in_fstab || m.over_rdma || (!m.mounted && !m.automatic)) continue;
        const auto kind = m.mounted ? 3 : host.devices.empty() ? 1 : 2;
        all.push_back({.kind = &kinds[kind], .severity = Severity::warning, .where = m.where, .value = m.what});
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
            all.push_back({.kind = &kinds[4],
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
