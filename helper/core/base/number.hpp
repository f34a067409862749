// SPDX-License-Identifier: LGPL-2.1-or-later
/// Numbers as the kernel's files spell them. No locale, no sign, nothing skipped, nothing left over.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// Without the white space (and newline) around it.
std::string_view trim(std::string_view text) noexcept;
/// The text in front of the first `end`, or all of it, which is taken away together with that `end`.
std::string_view take(std::string_view &text, char end = '\n') noexcept;
/// The parts between any of `separators`, without empty ones.
std::vector<std::string> cut(std::string_view text, std::string_view separators);
/// Decimal digits only, at most `max`.
std::optional<std::uint64_t> parse_decimal(std::string_view text, std::uint64_t max) noexcept;
/// Hexadecimal digits, with or without "0x", at most `max`.
std::optional<std::uint64_t> parse_hex(std::string_view text, std::uint64_t max) noexcept;
/// Decimal, or hexadecimal behind "0x", at most `max`. No octal: "010" is ten.
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t max) noexcept;
/// "0x" and at least `digits` lower-case digits.
std::string hex(std::uint64_t value, int digits);
/// The order of names with numbers in them: mlx5_2 before mlx5_10.
bool is_before(const std::string &name, const std::string &other) noexcept;

} // namespace nmib
