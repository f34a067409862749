// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/quirk.hpp"

#include <algorithm>

namespace nmib
{

Mismatch match(const Quirk &quirk, const Facts &facts, const Link &link) noexcept
{
    const auto &m = quirk.match;
    const auto *root = facts.root(link);
    const auto *hca = facts.hca(link);
    if (link.is_child() && quirk.scope == Quirk::Scope::port) return Mismatch::scope;
    if (!m.driver.empty() || m.vendor || !m.devices.empty() || m.revision) {
        if (!hca) return Mismatch::no_hca;
        if (!m.driver.empty() && hca->driver != m.driver) return Mismatch::driver;
        if (m.vendor && hca->vendor != *m.vendor) return Mismatch::vendor;
        if (!m.devices.empty() && std::find(m.devices.begin(), m.devices.end(), hca->device) == m.devices.end())
            return Mismatch::device;
        if (m.revision && hca->revision() != *m.revision) return Mismatch::revision;
    }
    if (m.rc_capable && link.address.rc_capable() != *m.rc_capable) return Mismatch::rc_capable;
    if (m.name_longer_than && (root ? *root : link).name.size() <= m.name_longer_than) return Mismatch::name_length;
    return Mismatch::none;
}

std::string_view key_name(Mismatch mismatch) noexcept
{
    switch (mismatch) {
    case Mismatch::none: return "";
    case Mismatch::scope: return "Scope";
    case Mismatch::driver: return "MatchDriver";
    case Mismatch::vendor: return "MatchVendor";
    case Mismatch::device: return "MatchDevice";
    case Mismatch::revision: return "MatchRevision";
    case Mismatch::rc_capable: return "MatchFlagsByte";
    case Mismatch::name_length: return "MatchNameLength";
    case Mismatch::no_hca: return "MatchVendor";
    }
    return "";
}

} // namespace nmib
