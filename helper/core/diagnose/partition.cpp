// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/diagnose/diagnose.hpp"

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
};
using Severity = Trouble::Severity;
} // namespace

const std::span<const Trouble::Kind> partition_kinds = kinds;

std::optional<Trouble> partition(const Host &, const RdmaPort &port, const PortNetdev &n)
{
    if (!n.pkey || !port.pkeys) return {};
    const auto holds = [&](const PKeyEntry &e) { return (e.key & 0x7fff) == n.pkey->partition(); };
    const auto is_full = [&](const PKeyEntry &e) { return holds(e) && (e.key & 0x8000) != 0; };
    Trouble t{.where = n.name.str(), .value = n.pkey->str()};
    if (std::none_of(port.pkeys->begin(), port.pkeys->end(), holds)) {
        t.kind = &kinds[0];
        return t;
    }
    if (std::any_of(port.pkeys->begin(), port.pkeys->end(), is_full)) return {};
    t.kind = &kinds[1];
    t.severity = Severity::warning;
    return t;
}

} // namespace nmib::layer
