// SPDX-License-Identifier: LGPL-2.1-or-later
/// Messages, and nmcli's matching of words.
#pragma once
#include "core/base/message.hpp"
#include "core/base/result.hpp"
#include "core/base/text.hpp"

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

/// The failure of a command. The text is for standard error.
struct Failure {
    int code = exit_usage;
    std::string text;
};
using Status = Result<void, Failure>;

/// Translates a message that nmcli has too, by the installed NetworkManager's catalogue.
[[gnu::format_arg(1)]] const char *nm(const char *message) noexcept;
/// Translates a message of nm-ib without values.
const char *_(const char *message) noexcept;
/// Translates a message of core or probe.
const char *translate(const char *message) noexcept;
/// Fills in a message from nm(), like printf.
[[gnu::format(printf, 1, 2)]] std::string nm_form(const char *format, ...);
/// Translates a message of nm-ib, and fills it in like message().
template<class... Args> std::string form(fmt::format_string<const Args &...> text, const Args &...args)
{
    return message(translate, fmt::string_view(text).data(), args...);
}
Error bad(std::string what);
/// Returns the failure with the text "Error: WHY".
Failure failed(const std::string &why, int code = exit_failed);
/// The same for an Error: exit_not_found for `absent`, otherwise exit_failed.
Failure failure_of(const Error &error);
/// The same with exit_usage.
Failure refused(const std::string &why);
/// Prints on standard output, like nmcli in the locale's encoding, with "?" for characters that the encoding lacks.
void print(const std::string &text);
/// Prints "nm-ib: " and a line on standard error.
void note(const std::string &line);
/// Prints a line on standard error, encoded like print().
void complain(const std::string &line);

using Words = std::vector<std::string>;
using Choices = std::span<const char *const>;

/// Returns true if `word` is a non-empty beginning of `pattern`.
bool begins(std::string_view word, std::string_view pattern) noexcept;
/// Returns true if `word` is the option `name` or abbreviates it: "--ask", "-a", "--as".
bool is_option(std::string_view word, std::string_view name) noexcept;
/// Returns true for "help", "--help" and abbreviations: "h", "-h".
bool is_help(std::string_view word) noexcept;

std::string join(const Words &words, const char *between);

/// Returns true if standard input and output are terminals.
bool can_ask() noexcept;
/// Prints "QUESTION [y/N] " and reads a line. Returns false without a terminal.
bool agrees(const char *question);

} // namespace nmib::cli
