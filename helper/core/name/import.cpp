// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/name/import.hpp"

#include "core/base/message.hpp"
#include "core/base/text.hpp"
#include "core/name/naming_world.hpp"
#include "core/name/udev_rule.hpp"

#include <algorithm>

namespace nmib
{

namespace
{
using Loss = FragileName::Loss;

/// The GUID of an address of 20 bytes, or of its last eight.
std::optional<Guid> guid_of(std::string_view address)
{
    if (const auto whole = HwAddr::parse(address)) return whole->guid();
    const bool is_tail = std::count(address.begin(), address.end(), ':') == 7 && address.size() == 23;
    return is_tail ? Guid::parse(address) : std::nullopt;
}

/// The GUID in a value of ATTR{address}: "?*" or "*:" may replace the first 12 bytes.
std::optional<Guid> guid_in_pattern(std::string_view pattern)
{
    const bool is_open = pattern.starts_with('*') || pattern.starts_with("?*");
    if (is_open) pattern.remove_prefix(pattern.find('*') + 1);
    if (is_open && pattern.starts_with(':')) pattern.remove_prefix(1);
    const auto guid = guid_of(pattern);
    const bool is_whole = HwAddr::parse(pattern).has_value();
    return is_open != is_whole ? guid : std::nullopt; // eight bytes alone are no address
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

void lose(FragileName &name, Loss loss, const std::string &what)
{
    if (name.loss != Loss::none) return;
    name.loss = loss;
    name.lost = what;
}

bool is_address(const UdevRule::Token &token)
{
    return is_one_of(token.key, {"ATTR", "ATTRS"}) && token.attribute == "address";
}

/// Returns false if the other conditions are for another kind of interface.
bool may_be_for_a_port(UdevRule rule)
{
    std::erase_if(rule.tokens, is_address);
    return matches(rule, PortIdentity{}) != Verdict::no;
}

/// Returns true for a condition that every port's interface meets.
bool is_usual(const UdevRule::Token &token)
{
    return is_address(token) || (is_one_of(token.key, {"ATTR", "ATTRS"}) && token.attribute == "type") ||
           is_one_of(token.key, {"ACTION", "SUBSYSTEM", "KERNEL", "NAME", "DRIVERS"});
}
} // namespace

std::string text(const FragileName &name, Translate translate)
{
    const auto key = printable(name.lost);
    const auto lost = fmt::arg("lost", key);
    switch (name.loss) {
    case Loss::none: return {};
    case Loss::settings: return message(translate, N_("the entry also has {lost}, which would be lost"), lost);
    case Loss::conditions: return message(translate, N_("the entry also depends on {lost}"), lost);
    case Loss::many_addresses: return message(translate, N_("the entry is for more than one address ({lost})"), lost);
    }
    return {};
}

std::optional<FragileName> fragile_name(const LinkConfig &config)
{
    if (is_ours(config)) return {};
    FragileName found{.name = config.value("Link", "Name")};
    bool any = false;
    for (const auto *key : {"MACAddress", "PermanentMACAddress"}) {
        for (const auto &word : config.words("Match", key)) {
            const auto guid = guid_of(word);
            if (!guid) continue; // another kind of network
            if (any && *guid != found.guid) lose(found, Loss::many_addresses, word);
            found.guid = *guid;
            any = true;
        }
    }
    if (!any) return {};
    for (const auto &e : config.entries) {
        const bool is_known =
            e.section == "Match"
                ? is_one_of(e.key, {"MACAddress", "PermanentMACAddress", "Type", "Kind", "Driver", "OriginalName"})
                : is_one_of(e.key, {"Name", "NamePolicy", "AlternativeNamesPolicy", "MACAddressPolicy", "Description"});
        if (!is_known) lose(found, e.section == "Match" ? Loss::conditions : Loss::settings, e.key + "=");
    }
    return found;
}

std::vector<FragileName> fragile_rules(std::string_view text)
{
    std::vector<FragileName> all;
    for (const auto &rule : parse_udev_rules(text)) {
        const auto *attribute = rule.matched("ATTR", "address");
        const auto *address = attribute ? attribute : rule.matched("ATTRS", "address");
        const auto *name = rule.name();
        const auto guid = name && address ? guid_in_pattern(*address) : std::nullopt;
        if (!guid || !may_be_for_a_port(rule)) continue;
        FragileName found{.name = *name, .guid = *guid, .first_line = rule.first_line, .last_line = rule.last_line};
        for (const auto &t : rule.tokens) {
            if (!t.is_match() && t.key != "NAME") lose(found, Loss::settings, t.key + "=");
            if (t.is_match() && !is_usual(t))
                lose(found, Loss::conditions, t.key + (t.attribute.empty() ? "" : "{" + t.attribute + "}"));
        }
        all.push_back(std::move(found));
    }
    return all;
}

std::string without(std::string_view text, std::span<const FragileName> names)
{
    std::string all;
    for (unsigned number = 1; !text.empty(); number++) {
        const auto line = text.substr(0, text.find('\n'));
        const bool has_end = line.size() < text.size();
        const bool goes = std::any_of(names.begin(), names.end(), [&](const FragileName &n) {
            return n.first_line <= number && number <= n.last_line;
        });
        if (goes) all += "# replaced by nm-ib name import: ";
        all += std::string(line) + (has_end ? "\n" : "");
        text.remove_prefix(line.size() + has_end);
    }
    return all;
}

} // namespace nmib
