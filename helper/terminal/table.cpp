// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/table.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <glib.h>
#include <unistd.h>

namespace nmib::cli
{

namespace
{
constexpr std::size_t header_width = 79, value_column = 40;

std::string escaped(const std::string &text)
{
    std::string s;
    for (const char c : text) {
        if (c == ':' || c == '\\') s += '\\';
        s += c;
    }
    return s;
}

} // namespace

bool is_coloured(const Options &options)
{
    if (options.colors != Options::Colors::automatic) return options.colors == Options::Colors::yes;
    const auto *none = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) == 1 && !(none && *none) && terminal && std::string_view(terminal) != "dumb";
}

int screen_width(std::string_view text)
{
    int width = 0;
    const char *const end = text.data() + text.size();
    for (const char *p = text.data(); p < end;) {
        if (*p == '\033' && p + 1 < end && p[1] == '[') { // a colour has no width
            p = std::find(p, end, 'm');
            p += p < end;
            continue;
        }
        const auto c = g_utf8_get_char(p);
        width += g_unichar_iswide(c) ? 2 : g_unichar_iszerowidth(c) ? 0 : 1;
        p = g_utf8_next_char(p);
    }
    return width;
}

std::string padded(const std::string &text, std::size_t width)
{
    const auto used = static_cast<std::size_t>(std::max(0, screen_width(text)));
    return text + std::string(width > used ? width - used : 0, ' ');
}

std::string folded(const std::string &start, std::string_view text, std::size_t indent, std::size_t columns)
{
    std::string all;
    auto line = padded(start, indent);
    bool is_first = true;
    for (const auto &word : cut(text, " ")) {
        if (!is_first && static_cast<std::size_t>(screen_width(line) + screen_width(word)) + 1 > columns) {
            all += line + "\n";
            line = std::string(indent, ' ');
            is_first = true;
        }
        line += (is_first ? "" : " ") + word;
        is_first = false;
    }
    return all + line + "\n";
}

namespace
{
Result<std::vector<std::size_t>> columns(const Options &options, const Words &titles)
{
    std::vector<std::size_t> chosen;
    const auto wanted = options.fields.value_or("all");
    for (std::size_t i = 0; i < titles.size() && (wanted == "all" || wanted == "common"); i++) chosen.push_back(i);
    if (!chosen.empty()) return chosen;
    for (const auto &field : cut(wanted, ",")) {
        const auto found = std::find_if(titles.begin(), titles.end(), [&](const std::string &t) {
            return g_ascii_strcasecmp(t.c_str(), field.c_str()) == 0;
        });
        if (found == titles.end())
            return bad(nm_form(nm("invalid field '%s'; allowed fields: %s"), printable(field).c_str(),
                               join(titles, ",").c_str()));
        chosen.push_back(static_cast<std::size_t>(found - titles.begin()));
    }
    return chosen;
}

std::string multiline(const Options &options, const Rows &rows, const std::vector<std::size_t> &chosen)
{
    std::string s;
    for (const auto &row : rows.rows) {
        for (const auto c : chosen)
            s +=
                padded(rows.titles[c] + ":", options.print == Options::Print::terse ? 0 : value_column) + row[c] + "\n";
        if (options.print == Options::Print::pretty) s += std::string(header_width, '-') + "\n";
    }
    return s;
}
} // namespace

Result<std::string> table(const Options &options, const Rows &all)
{
    const auto chosen = columns(options, all.titles);
    if (!chosen) return chosen.error();
    const bool terse = options.print == Options::Print::terse;
    if (options.multiline.value_or(false)) return multiline(options, all, *chosen);
    std::vector<std::size_t> width(all.titles.size());
    const auto shown = [&](const std::string &value) { return value.empty() && !terse ? std::string("--") : value; };
    for (const auto c : *chosen) {
        width[c] = static_cast<std::size_t>(screen_width(all.titles[c]));
        for (const auto &row : all.rows)
            width[c] = std::max(width[c], static_cast<std::size_t>(screen_width(shown(row[c]))));
    }
    std::string s;
    const auto line = [&](const Words &values) {
        Words cells;
        for (const auto c : *chosen)
            cells.push_back(terse ? (options.escape ? escaped(values[c]) : values[c])
                                  : padded(shown(values[c]), c == chosen->back() ? 0 : width[c]));
        s += join(cells, terse ? ":" : "  ") + "\n";
    };
    if (!terse) line(all.titles);
    for (const auto &row : all.rows) line(row);
    return s;
}

} // namespace nmib::cli
