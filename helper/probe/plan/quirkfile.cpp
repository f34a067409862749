// SPDX-License-Identifier: LGPL-2.1-or-later
// The quirk file format: one group per quirk, nm-ib-quirks(5).
#include "core/base/number.hpp"
#include "core/base/printable.hpp"
#include "probe/plan/conf.hpp"

#include <algorithm>
#include <array>

namespace nmib
{

namespace
{
/// Takes one value; false when it cannot be right.
using Take = bool (*)(Quirk &quirk, const std::string &value);

template<class T> bool number(const std::string &text, T &to)
{
    const auto v = parse_number(trim(text), static_cast<std::uint64_t>(static_cast<T>(-1)));
    if (v) to = static_cast<T>(*v);
    return v.has_value();
}
template<class T> bool number(const std::string &text, std::optional<T> &to)
{
    T v{};
    const bool good = number(text, v);
    if (good) to = v;
    return good;
}

bool devices(Quirk &q, const std::string &text)
{
    for (const auto &part : Keyfile::list(text)) {
        std::uint16_t v = 0;
        if (!number(part, v)) return false;
        q.match.devices.push_back(v);
    }
    return !q.match.devices.empty();
}
bool flags(Quirk &q, const std::string &text)
{
    q.match.rc_capable = text == "rc";
    return text == "rc" || text == "no-rc";
}
bool name_length(Quirk &q, const std::string &text)
{
    return text.starts_with('>') && number(text.substr(1), q.match.name_longer_than) &&
           q.match.name_longer_than < IfName::max_length;
}
bool scope(Quirk &q, const std::string &text)
{
    q.scope = text == "port" ? Quirk::Scope::port : Quirk::Scope::port_and_children;
    return text == "port" || text == "port+children";
}
bool refuse(Quirk &q, const std::string &text) { return q.no_connected = text == "transport-mode:connected"; }
bool try_first(Quirk &q, const std::string &text) { return q.try_connected = text == "transport-mode:connected"; }

bool text(const std::string &value, std::string &to)
{
    to = value;
    return !value.empty();
}

/// Only for people: kept in the file, not in the program.
bool remark(Quirk &, const std::string &) { return true; }

constexpr std::array<std::pair<std::string_view, Take>, 17> keys = {{
    {"Description", remark},
    {"MatchArpType", [](Quirk &, const std::string &v) { return trim(v) == "32"; }},
    {"MatchDriver", [](Quirk &q, const std::string &v) { return text(v, q.match.driver); }},
    {"MatchVendor", [](Quirk &q, const std::string &v) { return number(v, q.match.vendor); }},
    {"MatchDevice", devices},
    {"MatchRevision", [](Quirk &q, const std::string &v) { return number(v, q.match.revision); }},
    {"MatchFlagsByte", flags},
    {"MatchNameLength", name_length},
    {"Scope", scope},
    {"Refuse", refuse},
    {"Try", try_first},
    {"Reason", [](Quirk &q, const std::string &v) { return text(v, q.reason); }},
    {"Warn", [](Quirk &q, const std::string &v) { return text(v, q.warning); }},
    {"OnlyIfAvailable", [](Quirk &, const std::string &v) { return Keyfile::boolean(v) == true; }},
    {"KernelHandled", remark},
    {"Evidence", remark},
    {"Source", remark},
}};

bool feature(Quirk &q, const std::string &name, const std::string &value)
{
    const auto f = FeatureName::parse(name);
    const auto on = Keyfile::boolean(value);
    if (f && on) q.features.push_back({*f, *on});
    return f && on;
}
} // namespace

Result<std::vector<Quirk>> parse_quirks(const Keyfile &file, const std::string &name)
{
    std::vector<Quirk> quirks;
    for (const auto &group : file.groups()) {
        Quirk q;
        q.name = group;
        q.file = name;
        const auto bad = [&](const std::string &what) {
            return Error{Error::Kind::invalid, printable(name + ": [" + group + "] " + what + "; file not used")};
        };
        if (const auto key = file.repeated_key(group)) return bad(*key + " is there more than once");
        for (const auto &key : file.keys(group)) {
            const auto value = file.get(group, key);
            if (!value) return bad(key + " is not valid text");
            constexpr std::string_view prefix = "Feature.";
            if (key.starts_with(prefix)) {
                if (!feature(q, key.substr(prefix.size()), *value))
                    return bad(key + "=" + *value + " is not a feature and on or off");
                continue;
            }
            const auto *it = std::find_if(keys.begin(), keys.end(), [&](const auto &k) { return k.first == key; });
            if (it == keys.end()) return bad("has the unknown key '" + key + "'");
            if (!it->second(q, *value)) return bad(key + "=" + *value + " is no possible value");
        }
        if (q.features.empty() && !q.no_connected && !q.try_connected && q.warning.empty())
            return bad("does nothing: it needs Feature.*, Refuse, Try or Warn");
        if (q.no_connected && q.reason.empty()) return bad("needs Reason= beside Refuse=");
        quirks.push_back(std::move(q));
    }
    return quirks;
}

} // namespace nmib
