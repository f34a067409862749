// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/verb/complete.hpp"

#include "cli/daemon/keyfiles.hpp"
#include "cli/name/complete.hpp"
#include "cli/row.hpp"
#include "core/number.hpp"
#include "probe/probe.hpp"

#include <algorithm>
#include <span>

namespace nmib::cli
{

namespace
{
struct Port {
    IfName name;
    bool child;
    Words keys;
};

/// The InfiniBand interfaces; the keys in the tables of `with_keys` (or of all, for "") only when asked for.
std::vector<Port> ports(const std::optional<std::string> &with_keys = {})
{
    std::vector<Port> all;
    auto probe = Probe::open();
    const auto links = probe ? probe->rtnl().ipoib_links() : Result<std::vector<LinkRow>>(probe.error());
    if (!links) return all;
    for (const auto &l : *links) {
        if (!l.name || !l.infiniband) continue;
        Port port{*l.name, l.parent != 0, {}};
        const bool wanted = with_keys && !port.child && (with_keys->empty() || *with_keys == l.name->view());
        const auto row = wanted ? probe->sysfs().port(*l.name, l.ifindex) : Result<PortRow>(Error{});
        if (row)
            if (const auto keys = probe->sysfs().pkeys(row->hca.name, row->port.number))
                for (const auto key : *keys)
                    if ((key & 0x7fff) != 0x7fff) port.keys.push_back(hex(key | 0x8000U, 4)); // not the port's own
        all.push_back(std::move(port));
    }
    return all;
}

Words interface_names(bool children)
{
    Words names;
    for (const auto &p : ports())
        if (children || !p.child) names.push_back(p.name.str());
    return names;
}

/// Nothing where not all of them can be read, as by most users: then only the daemon knows.
std::optional<Words> profile_names(bool only_infiniband)
{
    const auto all = scan_names();
    if (!all) return std::nullopt;
    Words names;
    for (const auto &n : *all)
        if (!only_infiniband || n.type == "infiniband") names.emplace_back(n.id);
    std::sort(names.begin(), names.end());
    return names;
}

/// What stands where a profile is named; nmcli asks the daemon.
Completion profiles(const std::string &word)
{
    auto names = profile_names(false);
    if (!names || word.starts_with('-')) return {{}, true};
    names->insert(names->end(), std::begin(selectors), std::end(selectors));
    return {std::move(*names)};
}

/// The word behind the last `name` or `setting.name` among the words.
std::string value_of(std::span<const std::string> words, std::string_view alias, std::string_view property)
{
    for (std::size_t i = words.size(); i-- > 1;)
        if (words[i - 1] == alias || words[i - 1] == property) return words[i];
    return {};
}

Words key_names(std::span<const std::string> words)
{
    Words keys{"default"};
    for (const auto &p : ports(value_of(words, "parent", "infiniband.parent")))
        for (const auto &key : p.keys)
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    return keys;
}

/// Values of the property named by `word`; nothing when nmcli knows them as well as we do.
std::optional<Words> values_of(const std::string &word, std::span<const std::string> before)
{
    const auto is = [&](std::string_view alias, std::string_view property) {
        return word == alias || word == property;
    };
    if (is("p-key", "infiniband.p-key")) return key_names(before);
    if (is("parent", "infiniband.parent")) return interface_names(false);
    if (is("ifname", "connection.interface-name")) return interface_names(true);
    if (is("transport-mode", "infiniband.transport-mode")) return Words{"datagram", "connected"};
    if (is("mtu", "infiniband.mtu")) return Words{"auto", "2044", "4092", "65520"};
    return std::nullopt;
}

/// "infiniband.mtu", "mtu", "--with-parent"; with the sign the word has.
Words property_names(const std::string &word, bool add)
{
    const std::string sign =
        word.starts_with('+') || (word.starts_with('-') && !word.starts_with("--")) ? word.substr(0, 1) : "";
    Words names;
    const auto all = parts("infiniband", nullptr);
    for (const auto &p : *all)
        for (const auto *row : p.group->rows()) {
            names.push_back(sign + p.group->name + "." + row->title());
            if (sign.empty() && row->alias) names.emplace_back(row->alias);
        }
    if (!add) names.emplace_back("remove");
    names.emplace_back("--strict");
    if (add) names.emplace_back("--with-parent");
    return names;
}

bool is_infiniband(const std::string &name)
{
    const auto all = scan_names();
    return all && std::any_of(all->begin(), all->end(), [&](const Name &n) {
               return n.type == "infiniband" && (n.id == name || n.uuid == name);
           });
}

/// `words`: behind "connection add" or "connection modify PROFILE".
Completion properties(std::span<const std::string> words, bool add)
{
    const auto &last = words.back();
    // Words come in pairs, but for ours.
    Words plain;
    for (const auto &w : words)
        if (!w.starts_with("--") || &w == &last) plain.push_back(w);
    const bool wants_value = plain.size() % 2 == 0;
    if (!wants_value) return {property_names(last, add)};
    if (auto values = values_of(plain[plain.size() - 2], words)) return {std::move(*values)};
    return {{}, true};
}

/// Behind "plan" and these words: one name and --json, in any order.
Words plan_words(std::span<const std::string> before)
{
    Words words;
    const bool as_json = std::find(before.begin(), before.end(), "--json") != before.end();
    if (before.size() == as_json) {
        words = interface_names(true);
        for (auto &name : profile_names(true).value_or(Words{})) words.push_back(std::move(name));
    }
    if (!as_json) words.emplace_back("--json");
    return words;
}

Completion raw(const Words &words)
{
    std::size_t at = 0; // the object
    while (at + 1 < words.size() && words[at].starts_with('-'))
        at += is_option(words[at], "fields") || is_option(words[at], "get-values") || is_option(words[at], "mode") ||
                      is_option(words[at], "colors") || is_option(words[at], "escape") || is_option(words[at], "wait")
                  ? 2
                  : 1;
    if (at >= words.size()) return {{}, true};
    const std::span rest(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
    if (rest.size() == 1) return {rest[0].starts_with('-') ? Words{"--strict"} : Words{"plan", "apply", "name"}, true};
    if (rest[0] == "plan") return {plan_words(rest.subspan(1, rest.size() - 2))};
    if (rest[0] == "name") return {complete_name(rest.subspan(1))};
    if (rest[0] == "apply") return {rest.size() == 2 ? interface_names(true) : Words{}};
    if (!begins(rest[0], "connection") || rest.size() < 3) return {{}, true};
    const bool modify = begins(rest[1], "modify"), add = begins(rest[1], "add"), show = begins(rest[1], "show");
    if ((modify || show) && rest.size() == 3) return profiles(rest[2]);
    const auto type = value_of(rest.first(rest.size() - 1), "type", "connection.type");
    if (add && type.size() > 1 && std::string_view("infiniband").starts_with(type))
        return properties(rest.subspan(2), true);
    if (modify && is_infiniband(rest[2])) return properties(rest.subspan(3), false);
    return {{}, true};
}
} // namespace

Completion complete(const Words &words)
{
    if (words.empty()) return {{}, true};
    auto all = raw(words);
    std::erase_if(all.words, [&](const std::string &w) { return !w.starts_with(words.back()); });
    return all;
}

} // namespace nmib::cli
