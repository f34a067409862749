// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/rdma/facts.hpp"

#include "core/number.hpp"
#include "probe/inventory/modules.hpp"
#include "probe/inventory/rdma_devices.hpp"

#include <algorithm>
#include <glib.h>

namespace nmib
{

namespace
{
RdmaPortNow port_now(const RdmaDevice &device, const RdmaPort &port, bool has_cm)
{
    RdmaPortNow now{.device = device.name, .port = port.number, .layer = *port.layer, .has_cm = has_cm};
    if (port.gids)
        for (const auto &gid : *port.gids) {
            now.has_v1 |= gid.type == kernels(RoceMode::v1);
            now.has_v2 |= gid.type == kernels(RoceMode::v2);
        }
    return now;
}

bool has_gid_of(const RdmaPort &port, std::string_view interface)
{
    return port.gids && std::any_of(port.gids->begin(), port.gids->end(),
                                    [&](const GidEntry &gid) { return gid.interface == interface; });
}
} // namespace

RdmaFacts read_rdma_facts(const Dir &sysfs, const LinkRow &row)
{
    RdmaFacts facts{.link = *row.name, .ifindex = row.ifindex};
    auto devices = read_rdma_devices(sysfs, {&row, 1});
    const bool has_cm = has_module(sysfs, "rdma_cm");
    for (auto &device : devices ? *devices : std::vector<RdmaDevice>{}) {
        facts.devices.push_back(device.name);
        for (auto &port : device.ports) {
            if (!port.layer) continue;
            read_details(sysfs, device, port);
            if (port.interfaces.empty() && !has_gid_of(port, row.name->view())) continue;
            facts.ports.push_back(port_now(device, port, has_cm));
            if (*port.layer != LinkLayer::infiniband || !port.guid) continue;
            facts.port_guid = *port.guid;
            facts.vfs = read_admin_guids(sysfs, device.name, port.number, row.name->str());
        }
    }
    if (facts.port_guid && facts.vfs.empty()) facts.vfs = read_vfs(row);
    for (auto &vf : facts.vfs) look_who_has_it(sysfs, row.name->str(), rdma_users, vf);
    return facts;
}

Guid automatic_guid(std::string_view machine_id, Guid port, unsigned vf)
{
    const auto text = std::string(machine_id) + " " + port.str() + " " + std::to_string(vf);
    const std::unique_ptr<char, decltype(&::g_free)> hash(
        ::g_compute_checksum_for_data(G_CHECKSUM_SHA256, reinterpret_cast<const guchar *>(text.data()), text.size()),
        ::g_free);
    auto guid = Guid::parse(std::string_view(hash.get(), 16)).value_or(Guid{1});
    guid.value |= 0x02ULL << 56;
    guid.value &= ~(0x01ULL << 56);
    return guid;
}

std::optional<Guid> automatic_guid(const Dir &root, Guid port, unsigned vf)
{
    const auto id = root.read("etc/machine-id", 64);
    if (!id || trim(*id).size() != 32) return std::nullopt;
    return automatic_guid(trim(*id), port, vf);
}

} // namespace nmib
