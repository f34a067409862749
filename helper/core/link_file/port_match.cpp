// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/link_file/port_match.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
template<class... F> struct Cases : F... {
    using F::operator()...;
};
template<class... F> Cases(F...) -> Cases<F...>;
} // namespace

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
    return std::visit(Cases{[](const ByGuid &m) { return "GUID " + m.guid.str(); },
                            [](const ByPath &m) { return "port " + std::to_string(m.port) + " at " + m.path.str(); },
                            [](const ByAddress &m) { return "address " + m.address.str(); }},
                      match);
}

bool matches(const PortMatch &match, const PortIdentity &port)
{
    return std::visit(
        Cases{[&](const ByGuid &m) { return m.guid == port.guid; },
              [&](const ByPath &m) { return m.port == port.number && m.path.str() == port.property("ID_PATH"); },
              [&](const ByAddress &m) { return port.interface && m.address == port.interface->address; }},
        match);
}

bool is_meant_for(const PortMatch &match, const PortIdentity &port)
{
    const auto *whole = std::get_if<ByAddress>(&match);
    return whole && port.guid.value != 0 ? whole->address.guid() == port.guid : matches(match, port);
}

} // namespace nmib
