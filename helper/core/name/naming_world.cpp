// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/naming_world.hpp"

#include "core/base/number.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
/// The value behind `KEY=` among the words of Property=.
std::optional<std::string> property(const std::vector<std::string> &words, std::string_view key)
{
    for (const auto &w : words)
        if (w.size() > key.size() && w.starts_with(key) && w[key.size()] == '=') return w.substr(key.size() + 1);
    return {};
}
} // namespace

bool is_ours(const LinkConfig &config) { return name_in(config.file) && is_ours(config.text); }

std::optional<PortMatch> match_of(const LinkConfig &own)
{
    const auto conditions = own.words("Match", "Property");
    if (const auto pattern = property(conditions, "ID_IPOIB_ADDRESS"); pattern && pattern->starts_with("*:")) {
        const auto guid = Guid::parse(pattern->substr(2));
        return guid ? std::optional<PortMatch>(ByGuid{*guid}) : std::nullopt;
    }
    const auto id = IdPath::parse(property(conditions, "ID_PATH").value_or(""));
    const auto port = parse_decimal(property(conditions, "ID_IPOIB_DEV_PORT").value_or(""), 253);
    if (!id || !port) return {};
    return ByPath{*id, static_cast<unsigned>(*port) + 1};
}

const LinkConfig *NamingWorld::own_file(const PortIdentity &port) const
{
    for (const auto &c : configs)
        if (is_ours(c))
            if (const auto match = match_of(c); match && matches(*match, port)) return &c;
    return nullptr;
}

const PortIdentity *NamingWorld::port_of(const LinkConfig &own) const
{
    const auto match = match_of(own);
    if (!match) return nullptr;
    const auto found = std::find_if(ports.begin(), ports.end(), [&](const auto &p) { return matches(*match, p); });
    return found == ports.end() ? nullptr : &*found;
}

} // namespace nmib
