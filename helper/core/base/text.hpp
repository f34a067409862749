// SPDX-License-Identifier: LGPL-2.1-or-later
/// Text: printable form, parts, numbers, and the checksum of a file.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmib
{

/// Replaces control characters (C0, DEL, C1) and invalid UTF-8 by \xNN: the result is one line, safe for a terminal.
std::string printable(std::string_view text);

/// Removes white space and newlines at both ends.
std::string_view trim(std::string_view text) noexcept;
/// Removes and returns the text before the first `end`, and removes that `end`. Without `end`: the whole text.
std::string_view take(std::string_view &text, char end = '\n') noexcept;
/// Splits at any of `separators`. Empty parts are dropped.
std::vector<std::string> cut(std::string_view text, std::string_view separators);
/// Parses decimal digits, at most `max`; no locale, no sign, no other characters before or after.
std::optional<std::uint64_t> parse_decimal(std::string_view text, std::uint64_t max) noexcept;
/// Parses hexadecimal digits, with or without "0x", at most `max`.
std::optional<std::uint64_t> parse_hex(std::string_view text, std::uint64_t max) noexcept;
/// Parses a decimal number, or a hexadecimal one with "0x", at most `max`. Not octal: "010" is ten.
std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t max) noexcept;
/// Returns "0x" and at least `digits` lower-case digits.
std::string hex(std::uint64_t value, int digits);
/// Returns true if `name` sorts first. Numbers in names sort by value: mlx5_2 before mlx5_10.
bool is_before(const std::string &name, const std::string &other) noexcept;

/// Returns `head` (whole lines), a comment "# Checksum: 0x...", and `rest`. Detects changes by hand, not forgery.
std::string with_checksum(std::string_view head, std::string_view rest);
/// Returns true if the text is unchanged since with_checksum().
bool checksum_holds(std::string_view text);

} // namespace nmib
