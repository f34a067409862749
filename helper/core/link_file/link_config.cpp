// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/link_file/link_config.hpp"

#include "core/link_file/config_words.hpp"
#include "core/number.hpp"

#include <algorithm>
#include <utility>

namespace nmib
{

namespace
{
using Words = std::vector<std::string>;
constexpr std::string_view blank = " \t\n\r";

/// One line, without what ends it: line feed, carriage return and NUL, each once at most (fileio.c, read_line_full).
std::string_view take_line(std::string_view &text)
{
    constexpr std::string_view ends("\n\r\0", 3);
    const auto line = text.substr(0, text.find_first_of(ends));
    text.remove_prefix(line.size());
    std::string seen;
    while (!text.empty() && ends.find(text.front()) != ends.npos && seen.find(text.front()) == seen.npos &&
           seen.find('\0') == seen.npos) {
        seen += text.front();
        text.remove_prefix(1);
    }
    return line;
}

/// An even number of backslashes stands for itself.
bool goes_on(std::string_view line) noexcept
{
    const auto last = line.find_last_not_of('\\');
    return (line.size() - (last == line.npos ? 0 : last + 1)) % 2 == 1;
}

bool is_good_section(std::string_view name) noexcept
{
    return std::none_of(name.begin(), name.end(),
                        [](char c) { return (c > 0 && c < ' ') || c == '"' || c == '\'' || c == '\\' || c == '\x7f'; });
}

/// A whole line, put together. False when udev refuses the file for it (conf-parser.c, parse_line).
bool add_line(std::vector<LinkConfig::Entry> &entries, std::string &section, std::string_view line)
{
    line = trim(line);
    if (!is_utf8(line)) return false;
    if (line.starts_with('[')) {
        if (!line.ends_with(']')) return false;
        section = line.substr(1, line.size() - 2);
        return is_good_section(section);
    }
    const auto equals = line.find('=');
    if (equals != line.npos && equals != 0 && !section.empty())
        entries.push_back(
            {section, std::string(trim(line.substr(0, equals))), std::string(trim(line.substr(equals + 1)))});
    return true;
}

} // namespace

std::optional<std::vector<LinkConfig::Entry>> parse_link_config(std::string_view text)
{
    constexpr std::string_view bom = "\xef\xbb\xbf";
    std::vector<LinkConfig::Entry> entries;
    std::string section, whole;
    bool bom_seen = false;
    while (!text.empty()) {
        auto line = take_line(text);
        const auto first = line.substr(std::min(line.find_first_not_of(blank), line.size()));
        if (first.starts_with('#') || first.starts_with(';')) continue; // also between continued lines
        if (!bom_seen && line.starts_with(bom)) {
            line.remove_prefix(bom.size());
            bom_seen = true;
        }
        whole += line;
        if (goes_on(line)) {
            whole.back() = ' ';
            continue;
        }
        if (!add_line(entries, section, std::exchange(whole, {}))) return {};
    }
    if (!add_line(entries, section, whole)) return {};
    return entries;
}

std::vector<std::string> LinkConfig::words(std::string_view section, std::string_view key) const
{
    Words all;
    for (const auto &e : entries) {
        if (e.section != section || e.key != key) continue;
        if (e.value.empty() || key.ends_with("Policy")) all.clear();
        for (auto &w : config_words(e.value, Quoting::none)) all.push_back(std::move(w));
    }
    return all;
}

std::string LinkConfig::value(std::string_view section, std::string_view key) const
{
    std::string last;
    for (const auto &e : entries)
        if (e.section == section && e.key == key) last = e.value;
    return last;
}

} // namespace nmib
