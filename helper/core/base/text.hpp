// SPDX-License-Identifier: LGPL-2.1-or-later
/// Text from outside, made fit for one line of a log or a terminal.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// Valid UTF-8 stays; control characters (C0, DEL, C1) and stray bytes become \xNN, so no line is broken and no
/// terminal is driven.
std::string printable(std::string_view text);

// Numbers as the kernel's files spell them. No locale, no sign, nothing skipped, nothing left over.

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

// The checksum in the head of a file that nm-ib writes. It finds a change by hand, not a forger.

/// `head`, which is whole lines, a comment "# Checksum: 0x...", and `rest`.
std::string with_checksum(std::string_view head, std::string_view rest);
/// Whether a text is as with_checksum() made it.
bool checksum_holds(std::string_view text);

} // namespace nmib
