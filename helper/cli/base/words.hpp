// SPDX-License-Identifier: LGPL-2.1-or-later
/// Messages, and how nmcli understands a word.
#pragma once
#include "core/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nmib::cli
{

/// nmcli's exit codes (nmcli(1)).
enum Exit {
    exit_ok = 0,
    exit_failed = 1,
    exit_usage = 2,
    exit_add_failed = 4,
    exit_not_running = 8,
    exit_not_found = 10
};

/// Why a command ends: its exit code and the line for standard error.
struct Failure {
    int code = exit_usage;
    std::string text;
};

/// A message that nmcli has too, in the words of the installed NetworkManager's own catalogue.
[[gnu::format_arg(1)]] const char *nm(const char *message) noexcept;
/// A message of ours.
[[gnu::format_arg(1)]] const char *_(const char *message) noexcept;
/// For core's and probe's messages.
const char *translate(const char *message) noexcept;
/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string form(const char *format, ...);
Error bad(std::string what);
/// Prints on standard output as nmcli does: in the characters of the locale, with "?" for those that it has not.
void print(const std::string &text);
/// Prints one line on standard error, the same way.
void complain(const std::string &line);
/// Prints what nmcli says on the way: on standard output, from 1.54 on on standard error.
void say(const std::string &line);

using Words = std::vector<std::string>;
using Choices = std::span<const char *const>;

/// `word` is a non-empty beginning of `pattern`.
bool begins(std::string_view word, std::string_view pattern) noexcept;
/// The choice that `word` abbreviates, in any case; nmcli's sentence when there is none or more than one.
Result<const char *> choose(const std::string &word, Choices choices);
/// An option of a command: "--ask", "-a", "--as".
bool is_option(std::string_view word, std::string_view name) noexcept;
/// "h", "help", "--help", "-h".
bool is_help(std::string_view word) noexcept;

std::string strip(std::string_view text);
Result<bool> to_bool(const std::string &word);
enum class Ternary { off = 0, on = 1, unknown = -1 };
Result<Ternary> to_ternary(const std::string &word, bool ignore = false);

/// A number in nmcli's reading: white space around it is skipped, nothing may be left over. The errno-like kind tells a
/// word that is no number (`invalid`) from one that is out of range (`refused`).
template<class Int> Result<Int> to_number(const std::string &word, unsigned base, Int min, Int max);
extern template Result<std::int64_t> to_number(const std::string &, unsigned, std::int64_t, std::int64_t);
extern template Result<std::uint64_t> to_number(const std::string &, unsigned, std::uint64_t, std::uint64_t);

/// The parts between any of `separators`, without empty ones.
Words cut(std::string_view text, const char *separators);
/// The same without the white space around each.
Words split(std::string_view text, const char *separators);
/// `split`, but a backslash takes a separator's meaning away (nm_utils_escaped_tokens_split).
Words split_escaped(std::string_view text, std::string_view separators);
std::string join(const Words &words, const char *between);

} // namespace nmib::cli
