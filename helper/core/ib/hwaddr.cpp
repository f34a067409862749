// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/ib/hwaddr.hpp"

#include "core/base/text.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
std::string colons(std::span<const std::uint8_t> bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 3);
    for (const auto b : bytes) {
        if (!text.empty()) text += ':';
        text += digits[b >> 4];
        text += digits[b & 15];
    }
    return text;
}
} // namespace

std::string Guid::str() const
{
    auto s = bytes();
    for (const auto at : {20U, 14U, 8U, 2U}) s.erase(at, 1);
    return s;
}

std::string Guid::bytes() const
{
    std::array<std::uint8_t, 8> b{};
    for (std::size_t i = 0; i < b.size(); i++) b[i] = static_cast<std::uint8_t>(value >> (56 - 8 * i));
    return colons(b);
}

std::optional<Guid> Guid::parse(std::string_view text) noexcept
{
    text = trim(text);
    if (text.size() == 18 && (text.starts_with("0x") || text.starts_with("0X"))) text.remove_prefix(2);
    if (text.find_first_of("xX") != text.npos) return {};
    const auto separator = text.find_first_of(":-.");
    if (separator == text.npos) {
        const auto v = text.size() == 16 ? parse_hex(text, UINT64_MAX) : std::nullopt;
        return v ? std::optional(Guid{*v}) : std::nullopt;
    }
    if (separator != 2 && separator != 4) return {};
    const char between = text[separator];
    Guid g;
    for (std::size_t at = 0; at < 16; at += separator) {
        const bool last = at + separator == 16;
        const auto v = text.size() >= separator ? parse_hex(text.substr(0, separator), 0xffff) : std::nullopt;
        if (!v || (last ? text.size() != separator : text.size() <= separator || text[separator] != between)) return {};
        g.value = g.value << 4 * separator | *v;
        text.remove_prefix(separator + !last);
    }
    return g;
}

std::optional<HwAddr> HwAddr::from(std::span<const std::uint8_t> bytes) noexcept
{
    if (bytes.size() != size) return std::nullopt;
    HwAddr a;
    std::copy(bytes.begin(), bytes.end(), a.bytes_.begin());
    return a;
}

std::optional<HwAddr> HwAddr::parse(std::string_view text) noexcept
{
    text = trim(text);
    HwAddr a;
    for (std::size_t i = 0; i < size; i++) {
        const auto end = std::min(text.find_first_of(":-"), text.size());
        const auto byte = text.substr(0, end);
        const auto v = byte.size() <= 2 ? parse_hex(byte, 0xff) : std::nullopt;
        if (!v || (end == text.size()) != (i == size - 1)) return std::nullopt;
        a.bytes_[i] = static_cast<std::uint8_t>(*v);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return a;
}

Guid HwAddr::subnet_prefix() const noexcept
{
    Guid g;
    for (std::size_t i = 4; i < 12; i++) g.value = g.value << 8 | bytes_[i];
    return g;
}

Guid HwAddr::guid() const noexcept
{
    Guid g;
    for (std::size_t i = 12; i < size; i++) g.value = g.value << 8 | bytes_[i];
    return g;
}

std::string HwAddr::str() const { return colons(bytes_); }

} // namespace nmib
