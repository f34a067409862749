// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/diagnose/diagnose.hpp"

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"no-broadcast-group",
     N_("{where} has no carrier, and its port is active and has the P_Key; the subnet manager was not asked"),
     N_("Joining the broadcast group of its partition fails: the group is missing, or asks for another rate or MTU "
        "than the port has."),
     Trouble::By::hands,
     N_("The subnet manager makes the group where partitions.conf has 'ipoib'. To ask the subnet manager, and for the "
        "kernel's reason"),
     "sminfo -C {hca} -P {port}\njournalctl -k -g multicast.join.failed"},
};
} // namespace

const std::span<const Trouble::Kind> group_kinds = kinds;

std::optional<Trouble> group(const Host &host, const RdmaDevice &device, const RdmaPort &port, const PortNetdev &n)
{
    if (!n.infiniband || !n.up || n.carrier) return {};
    return Trouble{.kind = &kinds[0],
                   .severity = host.wants(n) ? Trouble::Severity::error : Trouble::Severity::warning,
                   .where = n.name.str(),
                   .hca = device.name,
                   .port = std::to_string(port.number)};
}

} // namespace nmib::layer
