// SPDX-License-Identifier: LGPL-2.1-or-later
/// Messages, and how nmcli understands a word.
#pragma once
#include "core/base/result.hpp"
#include "core/base/text.hpp"

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
/// Prints a line that begins with "nm-ib: ", on standard error.
void note(const std::string &line);
/// Prints one line on standard error, the same way.
void complain(const std::string &line);

using Words = std::vector<std::string>;
using Choices = std::span<const char *const>;

/// `word` is a non-empty beginning of `pattern`.
bool begins(std::string_view word, std::string_view pattern) noexcept;
/// An option of a command: "--ask", "-a", "--as".
bool is_option(std::string_view word, std::string_view name) noexcept;
/// "h", "help", "--help", "-h".
bool is_help(std::string_view word) noexcept;

std::string join(const Words &words, const char *between);

// Questions.

/// Whether there is a terminal to ask at.
bool can_ask() noexcept;
/// Asks "QUESTION [y/N] " and reads a line. Without a terminal the answer is no.
bool agrees(const char *question);

} // namespace nmib::cli
