// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/fields.hpp"

#include "cli/base/version.hpp"
#include "cli/draft.hpp"
#include "cli/nmcli/handover.hpp"

#include <algorithm>

namespace nmib::cli
{

namespace
{
/// nmcli's order of settings in its output; only those of an InfiniBand profile.
constexpr const char *shown[] = {"connection", "match", "ipv4", "ipv6",  "prefix-delegation", "infiniband", "bond-port",
                                 "link",       "proxy", "tc",   "sriov", "ethtool",           "hostname"};

bool same_word(std::string_view a, std::string_view b)
{
    return a.size() == b.size() && g_ascii_strncasecmp(a.data(), b.data(), a.size()) == 0;
}

Failure in_frame(const std::string &mistake)
{
    return {exit_usage, form(nm("Error: 'connection show': %s"), mistake.c_str())};
}

Failure no_such_field(const std::string &field, const Words &allowed)
{
    const auto list = "allowed fields: " + join(allowed, ",");
    return in_frame(
        form(nm("invalid field '%s%s%s%s%s'; %s%s%s"), "", "", field.c_str(), "", "", "", list.c_str(), ""));
}

Failure to_be_alone(const char *message, const std::string &word)
{
    return {exit_usage, form(nm("Error: %s."), form(message, word.c_str()).c_str())};
}

/// A group of either kind: its name, the names of its fields, and how a field of it is written down.
const char *name_of(const Group &group) { return group.name; }
const char *name_of(const ActiveGroup &group) { return group.name; }
Words field_names(const Group &group)
{
    Words names;
    for (const auto *row : group.rows()) names.emplace_back(row->name);
    return names;
}
Words field_names(const ActiveGroup &group)
{
    const auto names = group.fields();
    return {names.begin(), names.end()};
}
SettingField field(const Group &group, std::size_t index) { return {&group, group.rows()[index]}; }
ActiveField field(const ActiveGroup &group, std::size_t index) { return {&group, group.fields()[index]}; }

/// libnm's name of a property that was asked for. A name of nmcli's own is one only as it is written, with its group.
std::string libnm_name(const Group &group, const std::string &word)
{
    const auto name = word.substr(word.find('.') + 1);
    const auto *row = word.starts_with(group.name) ? find_row(group, name) : nullptr;
    return row ? row->name : name;
}
std::string libnm_name(const ActiveGroup &, const std::string &word) { return word.substr(word.find('.') + 1); }

template<class Field, class AGroup> void add(Asked<Field> &asked, const AGroup &group, const std::string &word)
{
    asked.any = true;
    if (asked.mistake) return;
    const auto dot = word.find('.');
    if (dot == std::string::npos) {
        asked.fields.push_back({&group});
        return;
    }
    auto names = field_names(group);
    const auto wanted = libnm_name(group, word);
    const auto name = std::find_if(names.begin(), names.end(), [&](const auto &n) { return same_word(wanted, n); });
    if (name != names.end()) {
        asked.fields.push_back(field(group, static_cast<std::size_t>(name - names.begin())));
        return;
    }
    for (auto &n : names) n.insert(0, std::string(name_of(group)) + ".");
    asked.mistake = no_such_field(word, names);
}

Asked<SettingField> whole_profile()
{
    Asked<SettingField> all{true};
    for (const auto *name : shown)
        if (const auto *group = find_group(name)) all.fields.push_back({group});
    if (has_version(46)) all.fields.push_back({nullptr}); // newer nmcli ends with hsr
    return all;
}

Asked<ActiveField> all_active()
{
    Asked<ActiveField> all{true};
    for (const auto &group : active_groups()) all.fields.push_back({&group});
    return all;
}
} // namespace

std::variant<ShowFields, Failure> parse_fields(const std::optional<std::string> &text)
{
    if (!text) return ShowFields{whole_profile(), all_active()};
    const auto words = split(*text, ",");
    const auto commas = static_cast<std::size_t>(std::count(text->begin(), text->end(), ','));
    if (!text->empty() && words.size() != commas + 1) return to_nmcli(); // an empty one
    ShowFields asked;
    bool whole = false, profile = false, active = false;
    const auto settings = groups();
    const auto running = active_groups();
    for (const auto &word : words) {
        const auto name = std::string_view(word).substr(0, word.find('.'));
        const auto is = [&](const auto *group) { return same_word(name, group->name); };
        const auto setting = std::find_if(settings.begin(), settings.end(), is);
        const auto section = std::find_if(running.begin(), running.end(),
                                          [&](const ActiveGroup &g) { return !g.all_fields.empty() && is(&g); });
        if (same_word(word, "all") || same_word(word, "common")) {
            if (whole) return to_nmcli();
            whole = true;
        } else if (setting != settings.end()) {
            add(asked.profile, **setting, word);
        } else if (section != running.end()) {
            add(asked.active, *section, word);
        } else if (same_word(word, "profile")) {
            profile = true;
        } else if (same_word(word, "active")) {
            active = true;
        } else {
            return to_nmcli();
        }
    }
    if (whole && asked.profile.any) return to_nmcli();
    if (profile && (whole || asked.profile.any)) return to_be_alone(nm("'%s' has to be alone"), "profile");
    if (active && asked.active.any) return to_be_alone(nm("'%s' has to be alone"), "active");
    if (whole || profile) asked.profile = whole_profile();
    if (active) asked.active = all_active();
    return asked;
}

} // namespace nmib::cli
