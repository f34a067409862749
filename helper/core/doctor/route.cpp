// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"same-subnet", N_("{where} and {subject} are both in the IP subnet {value}"),
     N_("One route wins, so that both ports' traffic leaves through one of them, and either port answers ARP for both: "
        "half of the bandwidth is lost, and RDMA connections to the other port fail."),
     Trouble::By::hands,
     N_("Give each port an IP subnet of its own; or a routing table and a rule of its own, with arp_ignore=1, "
        "arp_announce=2 and rp_filter=2 in /proc/sys/net/ipv4/conf/{where} and /{subject}")},
};
} // namespace

const std::span<const Trouble::Kind> route_kinds = kinds;

std::vector<Trouble> route(const Host &host)
{
    std::vector<Trouble> all;
    for (std::size_t i = 0; i < host.networks.size(); i++)
        for (std::size_t j = i + 1; j < host.networks.size(); j++) {
            const auto &a = host.networks[i], &b = host.networks[j];
            if (a.network != b.network || a.interface == b.interface || (a.answers_alone && b.answers_alone)) continue;
            all.push_back({.kind = &kinds[0],
                           .severity = Trouble::Severity::warning,
                           .where = a.interface,
                           .subject = b.interface,
                           .value = a.network});
        }
    return all;
}

} // namespace nmib::layer
