// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/base/ifcfg.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <glib.h>
#include <map>

namespace nmib
{

namespace
{
using Value = std::optional<std::string>; ///< nothing if only a shell knows the value

/// Parses the text after the equals sign like svUnescape (shvar.c), without quotes, escapes and comment. Text that a
/// shell would expand or run has no value; nor has an escape in $'...'.
Value value_of(std::string_view text)
{
    constexpr std::string_view escaped = "$`\"\\";
    std::string value;
    for (std::size_t i = 0; i < text.size(); i++) {
        const char c = text[i];
        if (c == ';' || g_ascii_isspace(c)) { // one semicolon and a comment may end the value
            const auto rest = trim(text.substr(i)), behind = rest.starts_with(';') ? trim(rest.substr(1)) : rest;
            return behind.empty() || behind.starts_with('#') ? Value(value) : std::nullopt;
        }
        if (c == '\\') {
            if (++i == text.size()) return std::nullopt;
            value += text[i];
        } else if (c == '\'' || (c == '$' && text.substr(i + 1).starts_with('\''))) {
            const auto start = i + (c == '$' ? 2 : 1), end = text.find('\'', start);
            if (end == text.npos) return std::nullopt;
            const auto inside = text.substr(start, end - start);
            if (c == '$' && inside.find('\\') != inside.npos) return std::nullopt;
            value += inside, i = end;
        } else if (c == '"') {
            for (i++; i < text.size() && text[i] != '"'; i++) {
                if (text[i] == '$' || text[i] == '`') return std::nullopt;
                const auto next = text.substr(std::min(text.size(), i + 1), 1);
                value += text[i] == '\\' && !next.empty() && escaped.find(next) != escaped.npos ? text[++i] : text[i];
            }
            if (i >= text.size()) return std::nullopt;
        } else if (std::string_view("|&()<>").find(c) != std::string_view::npos) {
            return std::nullopt;
        } else {
            value += c;
        }
    }
    return value;
}

using Variables = std::map<std::string, Value, std::less<>>;

/// The last assignment counts, even without a value.
Variables variables(std::string_view text)
{
    Variables all;
    while (!text.empty()) {
        const auto line = trim(take(text));
        const auto equals = line.find('=');
        if (equals == line.npos || line.starts_with('#')) continue;
        all.insert_or_assign(std::string(line.substr(0, equals)), value_of(line.substr(equals + 1)));
    }
    return all;
}

/// Parses a number up to 65535 like C, where "010" is eight (_nm_utils_ascii_str_to_int64).
std::optional<unsigned> number(const std::string &text)
{
    char *end = nullptr;
    errno = 0;
    const auto n = g_ascii_strtoll(text.c_str(), &end, 0);
    if (end == text.c_str() || errno != 0 || n < 0 || n > 0xffff || !trim(end).empty()) return std::nullopt;
    return static_cast<unsigned>(n);
}

/// Works like svParseBoolean (shvar.c).
bool is_yes(const std::string &value)
{
    for (const auto *yes : {"yes", "true", "t", "y", "1"})
        if (g_ascii_strcasecmp(value.c_str(), yes) == 0) return true;
    return false;
}
} // namespace

bool is_ifcfg_name(std::string_view name)
{
    constexpr std::string_view others[] = {"~", ".bak", ".orig", ".rej", ".rpmnew", ".augnew", ".augtmp"};
    const auto ends_with = [&](std::string_view end) {
        return name.size() >= end.size() &&
               g_ascii_strncasecmp(name.data() + name.size() - end.size(), end.data(), end.size()) == 0;
    };
    const auto rpms = name.rfind(';');
    const bool is_rpms = rpms != name.npos && name.size() - rpms == 9 &&
                         name.find_first_not_of("0123456789abcdefABCDEF", rpms + 1) == name.npos;
    return name.size() > 6 && name.starts_with("ifcfg-") && name.find(':') == name.npos && !is_rpms &&
           std::none_of(std::begin(others), std::end(others), ends_with);
}

Result<Keyfile> parse_ifcfg(const std::string &text, const std::string &name)
{
    auto made = Keyfile::parse("", name);
    if (!made) return made;
    auto &file = *made;
    const auto all = variables(text.c_str()); // a NUL byte ends the file
    const auto value = [&](std::string_view variable) {
        const auto it = all.find(variable);
        return it == all.end() ? std::string() : it->second.value_or("");
    };
    const auto copy = [&](const char *group, std::string_view key, std::string_view variable) {
        if (const auto v = value(variable); !v.empty()) file.set(group, std::string(key), v);
    };
    file.set("connection", "id", "System " + name.substr(std::min(name.size(), name.rfind("ifcfg-") + 6)));
    copy("connection", "id", "NAME");
    copy("connection", "uuid", "UUID");
    copy("connection", "interface-name", "DEVICE");
    copy("connection", "permissions", "USERS");
    if (const auto users = all.find("USERS"); users != all.end() && !users->second)
        file.set("connection", "permissions", "?"); // the users are unknown
    if (g_ascii_strcasecmp(value("TYPE").c_str(), "InfiniBand") != 0) return made;

    file.set("connection", "type", "infiniband");
    file.set("infiniband", "transport-mode", is_yes(value("CONNECTED_MODE")) ? "connected" : "datagram");
    if (const auto mtu = number(value("MTU"))) file.set("infiniband", "mtu", std::to_string(*mtu));
    if (!is_yes(value("PKEY"))) return made;
    const auto whole = value("PKEY_ID_NM"), id = whole.empty() ? value("PKEY_ID") : whole;
    const auto key = number(id);
    if (value("PHYSDEV").empty() || !key)
        return Error{Error::Kind::invalid, name + ": PKEY=yes needs PHYSDEV, and PKEY_ID from 0x0001 to 0xffff"};
    file.set("infiniband", "parent", value("PHYSDEV"));
    file.set("infiniband", "p-key", std::to_string(*key | (whole.empty() ? 0x8000U : 0U)));
    return made;
}

} // namespace nmib
