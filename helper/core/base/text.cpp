// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace nmib
{

namespace
{
/// Length of the first character; 0 if not printable.
std::size_t character(std::string_view t) noexcept
{
    const auto byte = [&](std::size_t i) { return i < t.size() ? static_cast<unsigned char>(t[i]) : 0U; };
    const auto c = byte(0);
    if (c >= 0x20 && c < 0x7f) return 1;
    const std::size_t n = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    for (std::size_t i = 1; i < n; i++)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const bool c1 = c == 0xc2 && byte(1) < 0xa0;
    const bool overlong = (c == 0xe0 && byte(1) < 0xa0) || (c == 0xf0 && byte(1) < 0x90);
    const bool outside = (c == 0xed && byte(1) >= 0xa0) || (c == 0xf4 && byte(1) >= 0x90);
    return c1 || overlong || outside ? 0 : n;
}
} // namespace

std::string printable(std::string_view text)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        auto n = character(text);
        if (n != 0) {
            out += text.substr(0, n);
        } else {
            const auto c = static_cast<unsigned char>(text[0]);
            out += "\\x";
            out += digits[c >> 4];
            out += digits[c & 15];
            n = 1;
        }
        text.remove_prefix(n);
    }
    return out;
}

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

namespace
{
constexpr std::string_view seal = "# Checksum: ";

/// FNV-1a, 64 bits.
std::uint64_t checksum(std::string_view text) noexcept
{
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return sum;
}
} // namespace

std::string with_checksum(std::string_view head, std::string_view rest)
{
    const auto first = std::string(head), last = std::string(rest);
    return first + std::string(seal) + hex(checksum(first + last), 16) + "\n" + last;
}

bool checksum_holds(std::string_view text)
{
    const auto at = text.find("\n" + std::string(seal));
    const auto end = at == text.npos ? text.npos : text.find('\n', at + 1);
    return end != text.npos && text == with_checksum(text.substr(0, at + 1), text.substr(end + 1));
}

} // namespace nmib
