// SPDX-License-Identifier: LGPL-2.1-or-later
#include "probe/ifcfg.hpp"

#include "core/number.hpp"

#include <algorithm>
#include <glib.h>
#include <map>

namespace nmib
{

namespace
{
using Variables = std::map<std::string, std::string, std::less<>>;

/// The value of an assignment, with the shell's quotes and comments; nothing where only a shell knows it.
std::optional<std::string> unquoted(const std::string &text)
{
    g_autoptr(GError) error = nullptr;
    g_auto(GStrv) words = nullptr;
    int n = 0;
    if (!g_shell_parse_argv(text.c_str(), &n, &words, &error))
        return g_error_matches(error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING) ? std::optional(std::string())
                                                                                 : std::nullopt;
    if (n != 1 || text.find_first_of("$`|&()<>") != text.npos) return std::nullopt;
    return words[0];
}

/// The last assignment to a variable counts.
Variables variables(std::string_view text)
{
    Variables all;
    while (!text.empty()) {
        const auto line = trim(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.size(), text.find('\n') == text.npos ? text.size() : text.find('\n') + 1));
        const auto equals = line.find('=');
        if (equals == line.npos || line.starts_with('#')) continue;
        if (auto value = unquoted(std::string(line.substr(equals + 1))))
            all.insert_or_assign(std::string(line.substr(0, equals)), std::move(*value));
    }
    return all;
}

/// svParseBoolean (shvar.c).
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
    return name.size() > 6 && name.starts_with("ifcfg-") &&
           std::none_of(std::begin(others), std::end(others), [&](auto other) { return name.ends_with(other); });
}

Result<Keyfile> parse_ifcfg(const std::string &text, const std::string &name)
{
    auto made = Keyfile::parse("", name);
    if (!made || text.find('\0') != text.npos) return Error{Error::Kind::invalid, name + ": holds a NUL byte"};
    auto &file = *made;
    const auto all = variables(text);
    const auto value = [&](std::string_view variable) {
        const auto it = all.find(variable);
        return it == all.end() ? std::string() : it->second;
    };
    const auto copy = [&](const char *group, std::string_view key, std::string_view variable) {
        if (const auto v = value(variable); !v.empty()) file.set(group, std::string(key), v);
    };
    file.set("connection", "id", "System " + name.substr(std::min(name.size(), name.rfind("ifcfg-") + 6)));
    copy("connection", "id", "NAME");
    copy("connection", "uuid", "UUID");
    copy("connection", "interface-name", "DEVICE");
    copy("connection", "permissions", "USERS");
    if (g_ascii_strcasecmp(value("TYPE").c_str(), "InfiniBand") != 0) return made;

    file.set("connection", "type", "infiniband");
    file.set("infiniband", "transport-mode", is_yes(value("CONNECTED_MODE")) ? "connected" : "datagram");
    if (parse_decimal(value("MTU"), 65535)) file.set("infiniband", "mtu", value("MTU"));
    if (!is_yes(value("PKEY"))) return made;
    const auto whole = value("PKEY_ID_NM"), id = whole.empty() ? value("PKEY_ID") : whole;
    const auto key = parse_number(id, 0xffff);
    if (value("PHYSDEV").empty() || !key)
        return Error{Error::Kind::invalid, name + ": PKEY=yes needs PHYSDEV, and PKEY_ID from 0x0001 to 0xffff"};
    file.set("infiniband", "parent", value("PHYSDEV"));
    file.set("infiniband", "p-key", std::to_string(*key | (whole.empty() ? 0x8000U : 0U)));
    return made;
}

} // namespace nmib
