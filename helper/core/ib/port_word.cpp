// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/port_word.hpp"

#include "core/base/number.hpp"

namespace nmib
{

namespace
{
std::optional<Guid> guid_in(std::string_view word) noexcept
{
    if (const auto guid = Guid::parse(word)) return guid;
    if (const auto address = HwAddr::parse(word)) return address->guid();
    if (word.size() == 39 && word[19] == ':') return Guid::parse(word.substr(20)); // a GID
    return {};
}
} // namespace

bool names_port(std::string_view word, const PortPlace &port) noexcept
{
    if (const auto guid = guid_in(word)) return port.guid && guid->value != 0 && *port.guid == *guid;
    const auto slash = word.rfind('/');
    if (slash != word.npos && parse_decimal(word.substr(slash + 1), 254) != port.number) return false;
    const auto card = word.substr(0, slash);
    if (card.empty()) return false;
    constexpr std::string_view domain = "0000:"; // which lspci leaves out
    return card == port.hca || card == port.bus ||
           (card.find(':') == card.rfind(':') && port.bus.starts_with(domain) && port.bus.substr(5) == card);
}

} // namespace nmib
