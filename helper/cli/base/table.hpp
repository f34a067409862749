// SPDX-License-Identifier: LGPL-2.1-or-later
/// Tables, in nmcli's output formats.
#pragma once
#include "cli/base/options.hpp"

namespace nmib::cli
{

/// Whether to colour: as nmcli (-c), on a terminal unless NO_COLOR is set.
bool is_coloured(const Options &options);
/// How many columns a terminal needs for a text.
int screen_width(std::string_view text);
/// With blanks up to that many columns.
std::string padded(const std::string &text, std::size_t width);
/// `start`, and the words of a text in lines of at most so many columns, the later ones from the column `indent` on.
/// A longer word has a line of its own.
std::string folded(const std::string &start, std::string_view text, std::size_t indent, std::size_t columns = 80);
/// A table of ours in nmcli's style: a row a line, columns as wide as they have to be. `-f` chooses among the titles,
/// which machines know in lower case; `-t` and `-m` as for nmcli. An empty value shows as "--".
struct Rows {
    Words titles{};
    std::vector<Words> rows{};
};
Result<std::string> table(const Options &options, const Rows &rows);

} // namespace nmib::cli
