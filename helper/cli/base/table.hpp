// SPDX-License-Identifier: LGPL-2.1-or-later
/// nmcli's output formats for the properties of one setting.
#pragma once
#include "cli/base/options.hpp"

namespace nmib::cli
{

struct Cell {
    std::string title, value;
};

/// How many columns a terminal needs for a text.
int screen_width(std::string_view text);
/// With blanks up to that many columns.
std::string padded(const std::string &text, std::size_t width);
/// A banner, for --pretty only.
std::string banner(const Options &options, const std::string &title);
/// The cells under each other, with `prefix.` before the titles, or as a table of one row.
std::string table(const Options &options, const std::string &prefix, const std::vector<Cell> &cells);

/// A table of ours in nmcli's style: a row a line, columns as wide as they have to be. `-f` chooses among the titles,
/// which machines know in lower case; `-t` and `-m` as for nmcli. An empty value shows as "--".
struct Rows {
    Words titles{};
    std::vector<Words> rows{};
};
Result<std::string> table(const Options &options, const Rows &rows);

} // namespace nmib::cli
