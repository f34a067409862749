// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/number.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace nmib
{

namespace
{
std::optional<std::uint64_t> parse(std::string_view text, int base, std::uint64_t max) noexcept
{
    std::uint64_t v = 0;
    const auto *end = text.data() + text.size();
    const auto r = std::from_chars(text.data(), end, v, base);
    if (text.empty() || r.ec != std::errc() || r.ptr != end || v > max) return std::nullopt;
    return v;
}
bool has_hex_prefix(std::string_view text) noexcept { return text.starts_with("0x") || text.starts_with("0X"); }
} // namespace

std::string_view trim(std::string_view text) noexcept
{
    constexpr std::string_view blank = " \t\r\n\f";
    const auto first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string_view take(std::string_view &text, char end) noexcept
{
    const auto taken = text.substr(0, text.find(end));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
}

std::vector<std::string> cut(std::string_view text, std::string_view separators)
{
    std::vector<std::string> parts;
    for (auto start = text.find_first_not_of(separators); start != text.npos;) {
        const auto end = text.find_first_of(separators, start);
        parts.emplace_back(text.substr(start, end - start));
        start = text.find_first_not_of(separators, end);
    }
    return parts;
}

std::optional<std::uint64_t> parse_decimal(std::string_view text, std::uint64_t max) noexcept
{
    return parse(text, 10, max);
}

std::optional<std::uint64_t> parse_hex(std::string_view text, std::uint64_t max) noexcept
{
    return parse(has_hex_prefix(text) ? text.substr(2) : text, 16, max);
}

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t max) noexcept
{
    return has_hex_prefix(text) ? parse_hex(text, max) : parse_decimal(text, max);
}

std::string hex(std::uint64_t value, int digits)
{
    char buffer[16];
    const auto r = std::to_chars(buffer, buffer + sizeof(buffer), value, 16);
    std::string text(buffer, r.ptr);
    if (const auto n = static_cast<std::size_t>(digits); text.size() < n) text.insert(0, n - text.size(), '0');
    return "0x" + text;
}

bool is_before(const std::string &name, const std::string &other) noexcept
{
    return ::strverscmp(name.c_str(), other.c_str()) < 0;
}

} // namespace nmib
