// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/diagnose/diagnose.hpp"

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"no-broadcast-group", N_("{where} has no carrier, and its port, subnet manager and P_Key are all right"),
     N_("Joining the broadcast group of its partition fails: the group is missing, or asks for another rate or MTU "
        "than the port has."),
     N_("The kernel says why: journalctl -k -g 'multicast join failed'; the group is made by 'ipoib' in "
        "partitions.conf of the subnet manager, which nm-ib host opensm GUID... writes or shows")},
};
} // namespace

const std::span<const Trouble::Kind> group_kinds = kinds;

std::optional<Trouble> group(const Host &host, const RdmaPort &, const PortNetdev &n)
{
    if (!n.infiniband || !n.up || n.carrier) return {};
    return Trouble{.kind = &kinds[0],
                   .severity = host.wants(n) ? Trouble::Severity::error : Trouble::Severity::warning,
                   .where = n.name.str()};
}

} // namespace nmib::layer
