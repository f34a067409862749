// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/port_match.hpp"

#include <algorithm>

namespace nmib
{

std::optional<IdPath> IdPath::parse(std::string_view text)
{
    const auto is_good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == ':' ||
               c == '_' || c == '-';
    };
    if (text.empty() || text.size() > 128 || !std::all_of(text.begin(), text.end(), is_good)) return {};
    return IdPath(std::string(text));
}

std::string text(const PortMatch &match)
{
    if (const auto *m = std::get_if<ByGuid>(&match)) return "GUID " + m->guid.str();
    const auto &m = std::get<ByPath>(match);
    return "port " + std::to_string(m.port) + " at " + m.path.str();
}

bool matches(const PortMatch &match, const PortIdentity &port)
{
    if (const auto *m = std::get_if<ByGuid>(&match)) return m->guid == port.guid;
    const auto &m = std::get<ByPath>(match);
    return m.port == port.number && m.path.str() == port.property("ID_PATH");
}

} // namespace nmib
