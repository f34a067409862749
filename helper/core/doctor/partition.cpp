// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/doctor/diagnose.hpp"

#include <algorithm>

namespace nmib::layer
{

namespace
{
constexpr Trouble::Kind kinds[] = {
    {"pkey-not-in-table", N_("{where}: P_Key {value} is not in the P_Key table of its port"),
     N_("The subnet manager has not put this port into the partition: no carrier until it does."), Trouble::By::hands,
     N_("In partitions.conf of the subnet manager: NAME={value}, ipoib: ALL=full; then: systemctl restart opensm. On "
        "its host, nm-ib host opensm shows the lines that profiles need")},
    {"pkey-limited", N_("{where}: its port is a limited member of the partition of P_Key {value}"),
     N_("It reaches full members only: two limited ones cannot talk."), Trouble::By::hands,
     N_("In partitions.conf of the subnet manager: make this port, or the one that it has to reach, a full member "
        "(=full)")},
    {"no-broadcast-group",
     N_("{where} has no carrier, and its port is active and has the P_Key; the subnet manager was not asked"),
     N_("Joining the broadcast group of its partition fails: the group is missing, or asks for another rate or MTU "
        "than the port has."),
     Trouble::By::hands,
     N_("The subnet manager makes the group where partitions.conf has 'ipoib'. To ask the subnet manager, and for the "
        "kernel's reason"),
     "sminfo -C {hca} -P {port}\njournalctl -k -g multicast.join.failed"},
};
using Severity = Trouble::Severity;

std::optional<Trouble> judge_key(const RdmaPort &port, const PortNetdev &n)
{
    if (!n.pkey || !port.pkeys) return {};
    const auto holds = [&](const PKeyEntry &e) { return (e.key & 0x7fff) == n.pkey->partition(); };
    const auto is_full = [&](const PKeyEntry &e) { return holds(e) && (e.key & 0x8000) != 0; };
    if (std::any_of(port.pkeys->begin(), port.pkeys->end(), is_full)) return {};
    const bool is_limited = std::any_of(port.pkeys->begin(), port.pkeys->end(), holds);
    return Trouble{.kind = &kinds[is_limited ? 1 : 0],
                   .severity = is_limited ? Severity::warning : Severity::error,
                   .where = n.name.str(),
                   .value = n.pkey->str()};
}
} // namespace

const std::span<const Trouble::Kind> partition_kinds = kinds;

std::vector<Trouble> partition(const Host &host, const RdmaDevice &device, const RdmaPort &port, const PortNetdev &n)
{
    std::vector<Trouble> all;
    if (auto key = judge_key(port, n)) all.push_back(std::move(*key));
    const bool may_join = all.empty() || all[0].severity != Severity::error;
    if (may_join && n.infiniband && n.up && !n.carrier)
        all.push_back({.kind = &kinds[2],
                       .severity = host.wants(n) ? Severity::error : Severity::warning,
                       .where = n.name.str(),
                       .hca = device.name,
                       .port = std::to_string(port.number)});
    return all;
}

} // namespace nmib::layer
