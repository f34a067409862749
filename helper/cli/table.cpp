// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/table.hpp"

#include <algorithm>
#include <glib.h>

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

std::string tabular(const Options &options, const std::vector<Cell> &cells)
{
    if (options.print == Options::Print::terse) {
        Words values;
        for (const auto &c : cells) values.push_back(options.escape ? escaped(c.value) : c.value);
        return join(values, ":") + "\n";
    }
    Words titles, values;
    std::size_t total = 0;
    for (const auto &c : cells) {
        const auto width = static_cast<std::size_t>(std::max(screen_width(c.title), screen_width(c.value)) + 1);
        titles.push_back(padded(c.title, width));
        values.push_back(padded(c.value, width));
        total += width + 1 + c.title.size() - static_cast<std::size_t>(screen_width(c.title));
    }
    auto s = join(titles, " ") + "\n";
    if (options.print == Options::Print::pretty) s += std::string(total, '-') + "\n";
    return s + join(values, " ") + "\n";
}
} // namespace

int screen_width(std::string_view text)
{
    int width = 0;
    const char *const end = text.data() + text.size();
    for (const char *p = text.data(); p < end;) {
        if (*p == '\033' && p + 1 < end && p[1] == '[') { // a colour takes no room
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

std::string banner(const Options &options, const std::string &title)
{
    if (options.print != Options::Print::pretty) return {};
    const auto width = static_cast<std::size_t>(screen_width(title));
    const auto room = options.multiline.value_or(true) ? std::max(width + 4, header_width) : width + 4;
    const auto line = std::string(options.multiline.value_or(true) ? header_width : room, '=') + "\n";
    const auto column = (room + width) / 2;
    return line + std::string(column > width ? column - width : 0, ' ') + title + "\n" + line;
}

std::string table(const Options &options, const std::string &prefix, const std::vector<Cell> &cells)
{
    if (!options.multiline.value_or(true)) return tabular(options, cells);
    std::string s;
    for (const auto &c : cells) {
        const auto title = prefix + "." + c.title + ":";
        s += padded(title, options.print == Options::Print::terse ? 0 : value_column) + c.value + "\n";
    }
    if (options.print == Options::Print::pretty) s += std::string(header_width, '-') + "\n";
    return s;
}

} // namespace nmib::cli
