// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/link_file.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <utility>

namespace nmib
{

namespace
{
using Words = std::vector<std::string>;
constexpr std::string_view blank = " \t\n\r";

/// Adds a complete line. Returns false if udev refuses the file because of the line (conf-parser.c, parse_line).
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

namespace
{
constexpr std::string_view prefix = "70-nm-infiniband-", suffix = ".link";
constexpr std::string_view head = "# Written by nm-ib: ";

std::string conditions(const PortMatch &match)
{
    if (const auto *m = std::get_if<ByGuid>(&match)) return "Property=ID_IPOIB_ADDRESS=*:" + m->guid.bytes() + "\n";
    const auto &m = std::get<ByPath>(match);
    return "Property=ID_PATH=" + m.path.str() + "\nProperty=ID_IPOIB_DEV_PORT=" + std::to_string(m.port - 1) + "\n";
}
} // namespace

std::string file_name(const PortName &name) { return std::string(prefix) + name.str() + std::string(suffix); }

std::optional<PortName> name_in(std::string_view file)
{
    if (!file.starts_with(prefix) || !file.ends_with(suffix) || file.size() < prefix.size() + suffix.size()) return {};
    return PortName::parse(file.substr(prefix.size(), file.size() - prefix.size() - suffix.size()));
}

std::string text(const LinkFile &file)
{
    const auto name = file.name.str();
    const bool by_number = std::holds_alternative<ByPath>(file.match);
    const auto first = std::string(head) + "the InfiniBand " + (by_number ? "" : "port with ") + text(file.match) +
                       " is called " + name + ".\n# To take this away: nm-ib name unset " + name + "\n";
    return with_checksum(first, "\n[Match]\nType=infiniband\n" + conditions(file.match) + "\n[Link]\nName=" + name +
                                    "\nAlternativeNamesPolicy=database onboard slot path\n");
}

bool is_untouched(std::string_view text) { return is_ours(text) && checksum_holds(text); }

bool is_ours(std::string_view text) { return text.starts_with(head); }

} // namespace nmib
