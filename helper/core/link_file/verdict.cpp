// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/link_file/verdict.hpp"

#include "core/link_file/config_words.hpp"
#include "core/link_file/port_name.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <map>

namespace nmib
{

namespace
{
using Words = std::vector<std::string>;

bool glob(const std::string &pattern, const std::string &text)
{
    return ::fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// net-condition.c, net_condition_test_strv: a pattern behind '!' excludes; without others all else is taken. No
/// pattern is for a text that is not there.
bool any_of(const Words &patterns, const std::string &text)
{
    bool positive = false, found = false;
    for (const auto &p : patterns) {
        const bool inverted = p.starts_with('!');
        const bool is = !text.empty() && glob(p.substr(inverted), text);
        if (inverted && is) return false;
        positive = positive || !inverted;
        found = found || (!inverted && is);
    }
    return found || !positive;
}

/// `KEY=value` with a name that a variable of the environment can have (env-util.c, env_assignment_is_valid).
bool is_assignment(std::string_view word) noexcept
{
    const auto name = word.substr(0, word.find('='));
    const auto is_good = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    return name.size() < word.size() && !name.empty() && (name[0] < '0' || name[0] > '9') &&
           std::all_of(name.begin(), name.end(), is_good) && is_utf8(word);
}

/// What one line adds to a key of [Match]. What is spelled wrong is left out, and '!' in front is for all of the line.
Words conditions_in(const std::string &key, std::string_view value)
{
    const auto good = [](Words words, auto is_good) {
        std::erase_if(words, [&](const std::string &w) { return !is_good(w); });
        return words;
    };
    if (key == "MACAddress" || key == "PermanentMACAddress")
        return good(config_words(value, Quoting::none),
                    [](const auto &w) { return parse_link_address(w).has_value(); });
    const bool inverted = value.starts_with('!');
    const auto list = value.substr(inverted);
    Words words;
    if (key == "Property")
        words = good(config_words(list, Quoting::c_escapes), is_assignment);
    else if (key == "OriginalName")
        words = good(config_words(list, Quoting::none), is_link_name);
    else if (key == "Path" || key == "Driver" || key == "Type" || key == "Kind")
        words = config_words(list, Quoting::quotes);
    else if (!key.starts_with("X-"))
        return {std::string(value)};
    for (auto &w : words)
        if (inverted) w.insert(0, "!");
    return words;
}

using Conditions = std::map<std::string, Words>;
Conditions conditions(const LinkConfig &config)
{
    Conditions all;
    for (const auto &e : config.entries) {
        if (e.section != "Match") continue;
        auto &words = all[e.key];
        if (e.value.empty())
            words.clear();
        else
            for (auto &w : conditions_in(e.key, e.value)) words.push_back(std::move(w));
    }
    std::erase_if(all, [](const auto &c) { return c.second.empty(); });
    return all;
}

Verdict verdict_of(bool holds) noexcept { return holds ? Verdict::yes : Verdict::no; }

/// net-condition.c, net_condition_test_property: each word has to hold; '!' in front turns one round. What udev has
/// only while it handles an event (DEVPATH, INTERFACE ...) is not known here.
Verdict properties_hold(const Words &words, const PortIdentity &port)
{
    auto verdict = Verdict::yes;
    for (std::string_view word : words) {
        const bool wanted = !word.starts_with('!');
        if (!wanted) word.remove_prefix(1);
        const auto equals = word.find('=');
        const auto value = port.property(std::string(word.substr(0, equals)));
        if (value.empty() && !word.starts_with("ID_"))
            verdict = Verdict::perhaps;
        else if ((!value.empty() && glob(std::string(word.substr(equals + 1)), value)) != wanted)
            return Verdict::no;
    }
    return verdict;
}

/// The name at the event is the kernel's, ib<N>. Once there is another, nobody knows the number, and what asks for the
/// event again (udevadm trigger) gives the new name.
Verdict original_name_holds(const Words &patterns, const IfName &now)
{
    const bool is = any_of(patterns, now.str());
    if (fault(now.view()) == NameFault::kernel_like) return verdict_of(is);
    for (int n = 0; n < 100; n++)
        if (any_of(patterns, "ib" + std::to_string(n)) != is) return Verdict::perhaps;
    return verdict_of(is);
}

bool has_address(const Words &addresses, const HwAddr &address)
{
    return std::any_of(addresses.begin(), addresses.end(), [&](const std::string &text) {
        const auto bytes = parse_link_address(text);
        return bytes && HwAddr::from(*bytes) == address;
    });
}

/// The address that an interface began with; its GUID is that of today.
bool has_guid(const Words &addresses, Guid guid)
{
    return std::any_of(addresses.begin(), addresses.end(), [&](const std::string &text) {
        const auto bytes = parse_link_address(text);
        const auto address = bytes ? HwAddr::from(*bytes) : std::nullopt;
        return address && address->guid() == guid;
    });
}

/// One condition.
Verdict holds(const std::string &key, const Words &words, const PortIdentity &port)
{
    const auto &i = *port.interface;
    if (key == "MACAddress") return verdict_of(has_address(words, i.address));
    if (key == "PermanentMACAddress" && has_address(words, i.address)) return Verdict::yes;
    if (key == "PermanentMACAddress") return has_guid(words, i.address.guid()) ? Verdict::perhaps : Verdict::no;
    if (key == "Type") return verdict_of(any_of(words, "infiniband"));
    if (key == "Kind") return verdict_of(any_of(words, "ipoib"));
    if (key == "OriginalName") return original_name_holds(words, i.name);
    if (key == "Path") return verdict_of(any_of(words, port.property("ID_PATH")));
    if (key == "Property") return properties_hold(words, port);
    if (const auto driver = port.property("ID_NET_DRIVER"); key == "Driver" && !driver.empty())
        return verdict_of(any_of(words, driver));
    return Verdict::perhaps; // Host=, KernelVersion=, Credential= ..., and what a newer udev may know
}
} // namespace

Verdict matches(const LinkConfig &config, const PortIdentity &port)
{
    const auto all = conditions(config);
    if (all.empty()) return Verdict::no; // udev ignores such a file (link-config.c, link_load_one)
    if (!port.interface) return Verdict::perhaps;
    auto verdict = Verdict::yes;
    for (const auto &[key, words] : all) verdict = std::min(verdict, holds(key, words, port));
    return verdict;
}

Winner winner(std::span<const LinkConfig> configs, const PortIdentity &port)
{
    Winner w;
    for (const auto &c : configs) {
        const auto v = matches(c, port);
        if (v == Verdict::yes) {
            w.sure = &c;
            return w;
        }
        if (v == Verdict::perhaps) w.before.push_back(&c);
    }
    return w;
}

} // namespace nmib
