// SPDX-License-Identifier: LGPL-2.1-or-later
/// Tables in nmcli's output formats.
#pragma once
#include "terminal/options.hpp"

namespace nmib::cli
{

/// Returns true for coloured output: by -c; by default on a terminal, unless NO_COLOR is set or TERM is "dumb".
bool is_coloured(const Options &options);
/// Returns the columns of a UTF-8 text on a terminal.
int screen_width(std::string_view text);
std::string padded(const std::string &text, std::size_t width);
/// Returns `start` and the words of a text, in lines of at most `columns`. Later lines begin at column `indent`. A
/// longer word has a line of its own.
std::string folded(const std::string &start, std::string_view text, std::size_t indent, std::size_t columns = 80);
/// A table in nmcli's style, one line for each row. `-f` selects titles in any case; `-t` and `-m` work as in nmcli. An
/// empty value shows as "--", but not with `-t` or `-m multiline`.
struct Rows {
    Words titles{};
    std::vector<Words> rows{};
};
Result<std::string> table(const Options &options, const Rows &rows);

} // namespace nmib::cli
