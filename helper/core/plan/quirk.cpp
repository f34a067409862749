// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/quirk.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
bool matches_hca(const Quirk::Match &m, const Hca *hca) noexcept
{
    if (m.driver.empty() && !m.vendor && m.devices.empty() && !m.revision) return true;
    if (!hca) return false;
    if (!m.driver.empty() && hca->driver != m.driver) return false;
    if (m.vendor && hca->vendor != *m.vendor) return false;
    if (!m.devices.empty() && std::find(m.devices.begin(), m.devices.end(), hca->device) == m.devices.end())
        return false;
    return !m.revision || hca->revision() == *m.revision;
}
} // namespace

bool matches(const Quirk &quirk, const Facts &facts, const Link &link) noexcept
{
    return may_match(quirk, facts, link) && matches_hca(quirk.match, facts.hca(link));
}

bool may_match(const Quirk &quirk, const Facts &facts, const Link &link) noexcept
{
    const auto &m = quirk.match;
    const auto *root = facts.root(link);
    if (link.is_child() && quirk.scope == Quirk::Scope::port) return false;
    if (m.rc_capable && link.address.rc_capable() != *m.rc_capable) return false;
    if (m.name_longer_than && (root ? *root : link).name.size() <= m.name_longer_than) return false;
    return true;
}

} // namespace nmib
