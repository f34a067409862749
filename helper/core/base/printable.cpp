// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/printable.hpp"

namespace nmib
{

namespace
{
/// Length of the printable character at the front; 0 if there is none.
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

} // namespace nmib
