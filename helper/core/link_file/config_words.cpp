// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/link_file/config_words.hpp"

#include "core/ifname.hpp"
#include "core/number.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>

namespace nmib
{

namespace
{
constexpr std::string_view blank = " \t\n\r";

void append_utf8(std::string &word, std::uint32_t c)
{
    const auto rest = [&](unsigned shift) { word += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
    if (c < 0x80) {
        word += static_cast<char>(c);
    } else if (c < 0x800) {
        word += static_cast<char>(0xc0 | c >> 6);
        rest(0);
    } else if (c < 0x10000) {
        word += static_cast<char>(0xe0 | c >> 12);
        rest(6), rest(0);
    } else {
        word += static_cast<char>(0xf0 | c >> 18);
        rest(12), rest(6), rest(0);
    }
}

/// Exactly `n` digits at the front of `text`, which are taken away.
std::optional<std::uint32_t> take_digits(std::string_view &text, std::size_t n, unsigned base)
{
    std::uint32_t value = 0;
    if (text.size() < n) return {};
    for (const char c : text.substr(0, n)) {
        const auto digit = parse_hex(std::string_view(&c, 1), base - 1);
        if (!digit) return {};
        value = value * base + static_cast<std::uint32_t>(*digit);
    }
    text.remove_prefix(n);
    return value;
}

/// What follows a backslash (escape.c, cunescape_one). False when it is no escape.
bool take_escape(std::string_view &text, std::string &word)
{
    constexpr std::string_view letters = "abfnrtvs\\\"'", meanings = "\a\b\f\n\r\t\v \\\"'";
    if (text.empty()) return false;
    const char c = text.front();
    if (const auto at = letters.find(c); at != letters.npos) {
        word += meanings[at];
        text.remove_prefix(1);
        return true;
    }
    const bool octal = c >= '0' && c <= '7', byte = c == 'x' || octal;
    if (!byte && c != 'u' && c != 'U') return false;
    if (!octal) text.remove_prefix(1);
    const auto value = octal ? take_digits(text, 3, 8) : take_digits(text, c == 'x' ? 2 : c == 'u' ? 4 : 8, 16);
    if (!value || *value == 0 || *value > (byte ? 0xffU : 0x10ffffU)) return false;
    byte ? (void)(word += static_cast<char>(*value)) : append_utf8(word, *value);
    return true;
}
} // namespace

std::vector<std::string> config_words(std::string_view value, Quoting quoting)
{
    std::vector<std::string> words;
    for (;;) {
        value.remove_prefix(std::min(value.find_first_not_of(blank), value.size()));
        if (value.empty()) return words;
        std::string word;
        char quote = 0;
        while (!value.empty() && (quote || blank.find(value.front()) == blank.npos)) {
            const char c = value.front();
            value.remove_prefix(1);
            if (c == '\\' && quoting == Quoting::c_escapes) {
                if (!take_escape(value, word)) return words;
            } else if (c == '\\' && quoting == Quoting::none) {
                if (value.empty()) return words;
                word += value.front();
                value.remove_prefix(1);
            } else if (quoting != Quoting::none && (quote ? c == quote : c == '"' || c == '\'')) {
                quote = quote ? '\0' : c;
            } else {
                word += c;
            }
        }
        if (quote) return words;
        words.push_back(std::move(word));
    }
}

bool is_utf8(std::string_view text) noexcept
{
    while (!text.empty()) {
        const auto first = static_cast<unsigned char>(text.front());
        const std::size_t n = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (n == 0 || first > 0xf4 || text.size() < n) return false;
        std::uint32_t c = n == 1 ? first : first & (0x7fU >> n);
        for (const char next : text.substr(1, n - 1)) {
            if ((static_cast<unsigned char>(next) & 0xc0) != 0x80) return false;
            c = c << 6 | (static_cast<unsigned char>(next) & 0x3f);
        }
        constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
        if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return false;
        if ((c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe) return false;
        text.remove_prefix(n);
    }
    return true;
}

std::optional<std::vector<std::uint8_t>> parse_link_address(const std::string &word)
{
    std::vector<std::uint8_t> bytes(16);
    if (::inet_pton(AF_INET6, word.c_str(), bytes.data()) == 1) return bytes;
    bytes.resize(4);
    if (::inet_pton(AF_INET, word.c_str(), bytes.data()) == 1) return bytes;
    bytes.clear();
    const auto between = word.find_first_not_of("0123456789abcdefABCDEF");
    if (between == word.npos || (word[between] != ':' && word[between] != '-' && word[between] != '.')) return {};
    const std::size_t size = word[between] == '.' ? 2 : 1;
    std::string_view text = word;
    for (bool more = true; more;) {
        const auto group = text.substr(0, text.find(word[between]));
        const auto value = group.size() <= 2 * size && !group.starts_with("0x") && !group.starts_with("0X")
                               ? parse_hex(group, 0xffff)
                               : std::nullopt;
        if (!value || bytes.size() >= 20) return {};
        if (size == 2) bytes.push_back(static_cast<std::uint8_t>(*value >> 8));
        bytes.push_back(static_cast<std::uint8_t>(*value));
        more = group.size() < text.size();
        text.remove_prefix(group.size() + more);
    }
    const auto n = bytes.size();
    return n == 4 || n == 6 || n == 16 || n == 20 ? std::optional(bytes) : std::nullopt;
}

bool is_link_name(std::string_view word) noexcept
{
    const auto is_good = [](char c) { return c > ' ' && c < 0x7f && c != ':' && c != '/' && c != '%'; };
    return IfName::parse(word) && word != "all" && word != "default" &&
           std::all_of(word.begin(), word.end(), is_good) && word.find_first_not_of("0123456789") != word.npos;
}

} // namespace nmib
