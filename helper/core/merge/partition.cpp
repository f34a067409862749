// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/merge/merge.hpp"

#include <algorithm>

namespace nmib::merging
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"mode-differs",
     N_("partition {where} of the subnet {subject}: its members have different transport modes: {value}"),
     N_("A connected member has an MTU that a datagram member cannot take: what does not find out about it, multicast "
        "above all, loses large packets."),
     Trouble::By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE infiniband.transport-mode MODE; nmcli connection up "
        "PROFILE")},
    {"mtu-differs", N_("partition {where} of the subnet {subject}: its members have different MTUs: {value}"),
     N_("Nothing negotiates it: packets that are larger than the smallest MTU get lost on their way to that member."),
     Trouble::By::hands,
     N_("On the hosts that differ: nmcli connection modify PROFILE infiniband.mtu MTU; nmcli connection up PROFILE; "
        "what they can have says: nm-ib plan")},
    {"limited-members", N_("partition {where} of the subnet {subject}: limited members: {value}"),
     N_("Limited members reach full members only, and not each other."), Trouble::By::hands,
     N_("In partitions.conf of the subnet manager: make those that have to reach each other full members (=full)")},
};
using Severity = Trouble::Severity;

struct Partition {
    const Subnet *subnet = nullptr;
    Differing modes{};
    std::map<std::string, Differing> mtus{}; ///< by mode: one who has another mode has another MTU, too
    Names limited{}, full{};                 ///< by the tables of their ports
};

/// Whether the table of a port makes it a full member; nothing where it has no such entry.
std::optional<bool> membership(const RdmaPort &port, std::uint16_t partition)
{
    std::optional<bool> full;
    if (port.pkeys)
        for (const auto &entry : *port.pkeys)
            if ((entry.key & 0x7fff) == partition) full = full.value_or(false) || (entry.key & 0x8000) != 0;
    return full;
}

/// By their number. Of a port only the interfaces that are in use.
std::map<std::uint16_t, Partition> partitions_of(const Subnet &subnet)
{
    std::map<std::uint16_t, Partition> all;
    for (const auto &p : subnet.ports)
        for (const auto &n : p.port->interfaces) {
            if (!n.infiniband || !n.up || !n.pkey) continue;
            auto &partition = all[n.pkey->partition()];
            partition.subnet = &subnet;
            const std::string mode(n.mode ? name(*n.mode) : "");
            if (n.mode) partition.modes.add(mode, p.host);
            partition.mtus[mode].add(std::to_string(n.mtu), p.host);
            if (const auto full = membership(*p.port, n.pkey->partition()))
                add_name(*full ? partition.full : partition.limited, p.host);
        }
    return all;
}

void judge(const Partition &partition, const Trouble &start, Translate translate, std::vector<Trouble> &all)
{
    const auto differ = [&](const Differing &what, const Trouble::Kind &kind) {
        if (!what.between_hosts()) return;
        auto t = start;
        t.kind = &kind;
        t.value = what.text(translate);
        t.hosts = what.odd();
        all.push_back(std::move(t));
    };
    differ(partition.modes, kinds[0]);
    for (const auto &[mode, mtus] : partition.mtus) differ(mtus, kinds[1]);
    if (partition.limited.size() < 2) return;
    auto t = start;
    t.kind = &kinds[2];
    // Beside full members that may be as it should: clients that are to see the servers and not each other.
    t.severity = partition.full.empty() ? Severity::warning : Severity::info;
    t.value = listed(partition.limited, translate);
    t.hosts = partition.limited;
    all.push_back(std::move(t));
}
} // namespace

const std::span<const Trouble::Kind> partition_kinds = kinds;

std::vector<Trouble> partition(const Fabric &fabric)
{
    std::vector<Trouble> all;
    for (const auto &subnet : fabric.subnets()) {
        if (subnet.alike) continue;
        for (const auto &[number, partition] : partitions_of(subnet))
            judge(partition,
                  {.severity = Severity::warning, .where = hex(number | 0x8000U, 4), .subject = subnet.str()},
                  fabric.translate(), all);
    }
    return all;
}

} // namespace nmib::merging
