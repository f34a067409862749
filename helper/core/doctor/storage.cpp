// SPDX-License-Identifier: LGPL-2.1-or-later
// Storage over RDMA: NFS and SRP.
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
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
    auto &t = all.emplace_back(Trouble{.kind = find_kind("nfs-rdma-not-listening"),
                                       .severity = Severity::warning,
                                       .where = last.path,
                                       .subject = last.words});
    if (ports.empty()) t.values = {{"value", Message{N_("no port")}}};
    t.value = ports;
    // A restart keeps the port of the file; a name that /etc/services lacks needs a number.
    if (!server.name_unknown) t.commands = {{"systemctl", "restart", "nfs-server"}};
}

void judge_mounts(const Host &host, std::vector<Trouble> &all)
{
    for (const auto &m : host.services.nfs_mounts) {
        if (!m.in_fstab || m.over_rdma || (!m.mounted && !m.automatic)) continue;
        const auto kind = m.mounted              ? find_kind("nfs-rdma-over-tcp")
                          : host.devices.empty() ? find_kind("nfs-rdma-no-device")
                                                 : find_kind("nfs-rdma-not-mounted");
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
            all.push_back({.kind = find_kind("srp-daemon-inactive"),
                           .severity = Severity::warning,
                           .where = device.label(port),
                           .subject = instance,
                           .value = state});
        }
}
} // namespace

std::vector<Trouble> storage(const Host &host)
{
    std::vector<Trouble> all;
    judge_server(host.services.nfs_server, all);
    judge_mounts(host, all);
    judge_srp(host, all);
    return all;
}

} // namespace nmib::layer
