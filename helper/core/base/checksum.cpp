// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/base/checksum.hpp"

#include "core/base/number.hpp"

namespace nmib
{

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
