// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/plan/quirk.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
bool matches_device(const Quirk::Match &m, const std::optional<RdmaDevice> &device) noexcept
{
    if (m.driver.empty() && !m.vendor && m.devices.empty() && !m.revision) return true;
    if (!device) return false;
    if (!m.driver.empty() && device->driver != m.driver) return false;
    const auto *id = device->pci_id ? &*device->pci_id : nullptr;
    if (m.vendor && (!id || id->vendor != *m.vendor)) return false;
    if (!m.devices.empty() && (!id || std::find(m.devices.begin(), m.devices.end(), id->device) == m.devices.end()))
        return false;
    return !m.revision || device->revision() == *m.revision;
}
} // namespace

bool matches(const Quirk &quirk, const Facts &facts, const Link &link) noexcept
{
    return may_match(quirk, facts, link) && matches_device(quirk.match, facts.device);
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
