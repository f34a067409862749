// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/link_config.hpp"

#include "core/base/number.hpp"

#include <algorithm>
#include <utility>

namespace nmib
{

namespace
{
using Words = std::vector<std::string>;
constexpr std::string_view blank = " \t\n\r";

/// A whole line, put together. False when udev refuses the file for it (conf-parser.c, parse_line).
bool add_line(std::vector<LinkConfig::Entry> &entries, std::string &section, std::string_view line)
{
    line = trim(line);
    if (line.starts_with('[')) {
        if (!line.ends_with(']')) return false;
        section = line.substr(1, line.size() - 2);
        return true;
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
    std::vector<LinkConfig::Entry> entries;
    std::string section, whole;
    while (!text.empty()) {
        const auto line = take(text);
        const auto first = line.substr(std::min(line.find_first_not_of(blank), line.size()));
        if (first.starts_with('#') || first.starts_with(';')) continue; // also between continued lines
        whole += line;
        if (line.ends_with('\\'))
            whole.back() = ' ';
        else if (!add_line(entries, section, std::exchange(whole, {})))
            return {};
    }
    if (!add_line(entries, section, whole)) return {};
    return entries;
}

Words config_words(std::string_view value)
{
    Words words;
    while (value.remove_prefix(std::min(value.find_first_not_of(blank), value.size())), !value.empty()) {
        std::string word;
        char quote = 0;
        for (; !value.empty() && (quote || blank.find(value.front()) == blank.npos); value.remove_prefix(1)) {
            const char c = value.front();
            if (quote ? c == quote : c == '"' || c == '\'')
                quote = quote ? '\0' : c;
            else
                word += c;
        }
        words.push_back(std::move(word));
    }
    return words;
}

Words LinkConfig::words(std::string_view section, std::string_view key) const
{
    Words all;
    for (const auto &e : entries) {
        if (e.section != section || e.key != key) continue;
        if (e.value.empty() || key.ends_with("Policy")) all.clear();
        for (auto &w : config_words(e.value)) all.push_back(std::move(w));
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
