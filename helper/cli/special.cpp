// SPDX-License-Identifier: LGPL-2.1-or-later
/// Properties with rules of their own.
#include "cli/base/gobject.hpp"
#include "cli/kinds.hpp"

#include <algorithm>

namespace nmib::cli::kind
{

namespace
{
Result<void> set_uuid(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &around)
{
    const auto *now = nm_setting_connection_get_uuid(NM_SETTING_CONNECTION(setting));
    const bool same = now && value && std::string_view(now) == value;
    if (now && !around.offline && !same) return bad("the property can't be changed");
    const std::string_view word = value ? value : "";
    const Text fresh(nm_utils_uuid_generate());
    g_object_set(setting, row.name, word.empty() || word == "new" || word == "generate" ? fresh.get() : value, nullptr);
    return {};
}

Result<void> set_type(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &around)
{
    const auto *now = nm_setting_connection_get_connection_type(NM_SETTING_CONNECTION(setting));
    if (now && value && std::string_view(now) == value) return {};
    if (now && !around.offline) return bad(nm("Can not change the connection type"));
    g_object_set(setting, row.name, value, nullptr);
    return {};
}

constexpr std::string_view user_prefix = "user:";

/// The user's name in "alice" or "user:alice"; nothing if it cannot be one.
std::optional<std::string> user(const std::string &item)
{
    const auto name = item.starts_with(user_prefix) ? item.substr(user_prefix.size()) : item;
    if (name.empty() || name.find(':') != std::string::npos || !g_utf8_validate(name.c_str(), -1, nullptr))
        return std::nullopt;
    return name;
}

Result<void> set_permissions(const Row &, NMSetting *setting, Op op, const char *value, const Surroundings &)
{
    auto *c = NM_SETTING_CONNECTION(setting);
    const auto clear = [&] {
        while (nm_setting_connection_get_num_permissions(c)) nm_setting_connection_remove_permission(c, 0);
    };
    if (!value) {
        clear();
        return {};
    }
    auto items = split(value, " \t\n\r\f,");
    const auto number = [](const std::string &w) { return bool(to_number<std::int64_t>(w, 10, 0, G_MAXINT64)); };
    if (op == Op::remove && !items.empty() && std::all_of(items.begin(), items.end(), number)) {
        std::sort(items.begin(), items.end(),
                  [](const auto &a, const auto &b) { return std::stoll(a) > std::stoll(b); });
        items.erase(std::unique(items.begin(), items.end()), items.end());
        for (const auto &i : items)
            if (const auto n = std::stoll(i); n < nm_setting_connection_get_num_permissions(c))
                nm_setting_connection_remove_permission(c, static_cast<unsigned>(n));
        return {};
    }
    for (const auto &item : items)
        if (!user(item)) return bad(form(nm("invalid permission \"%s\""), item.c_str()));
    if (op == Op::set) clear();
    for (const auto &item : items) {
        const auto name = *user(item);
        op == Op::remove ? nm_setting_connection_remove_permission_by_value(c, "user", name.c_str(), nullptr)
                         : nm_setting_connection_add_permission(c, "user", name.c_str(), nullptr);
    }
    return {};
}

std::string get_permissions(const Row &, NMSetting *setting, Style)
{
    auto *c = NM_SETTING_CONNECTION(setting);
    Words all;
    for (unsigned i = 0; i < nm_setting_connection_get_num_permissions(c); i++) {
        const char *what = nullptr, *name = nullptr;
        if (nm_setting_connection_get_permission(c, i, &what, &name, nullptr) && std::string_view(what) == "user")
            all.push_back(std::string(user_prefix) + name);
    }
    return join(all, ",");
}

Result<void> set_metered(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    const auto t = to_ternary(value);
    if (!t) return t.error();
    const int metered = *t == Ternary::on ? NM_METERED_YES : *t == Ternary::off ? NM_METERED_NO : NM_METERED_UNKNOWN;
    g_object_set(setting, row.name, metered, nullptr);
    return {};
}

std::string get_metered(const Row &, NMSetting *setting, Style style)
{
    const auto metered = nm_setting_connection_get_metered(NM_SETTING_CONNECTION(setting));
    const char *word = metered == NM_METERED_YES ? "yes" : metered == NM_METERED_NO ? "no" : "unknown";
    return style == Style::pretty ? nm(word) : word;
}

/// "static" is "manual".
Result<void> set_method(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    const std::string_view word = value;
    const auto method = choose(word.size() > 1 && begins(word, "static") ? "manual" : value, row.choices);
    if (!method) return method.error();
    g_object_set(setting, row.name, *method, nullptr);
    return {};
}

/// A gateway and never-default exclude each other, so the latter goes.
Result<void> set_gateway(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    const auto address = strip(value);
    if (!nm_utils_ipaddr_valid(NM_IS_SETTING_IP4_CONFIG(setting) ? AF_INET : AF_INET6, address.c_str()))
        return bad(form(nm("invalid gateway address '%s'"), address.c_str()));
    g_object_set(setting, row.name, address.c_str(), "never-default", FALSE, nullptr);
    return {};
}

/// The script itself, or the name of a file that has it; "file://" and "js://" say which.
Result<std::string> read_script(std::string value)
{
    constexpr std::string_view file = "file://", js = "js://";
    const bool is_file = value.starts_with(file), is_js = value.starts_with(js);
    if (is_file || is_js) value.erase(0, is_file ? file.size() : js.size());
    std::string script = value, origin;
    if (!is_js) {
        char *raw = nullptr;
        gsize size = 0;
        if (g_file_get_contents(value.c_str(), &raw, &size, nullptr)) {
            const Text contents(raw);
            script.assign(raw, size);
            origin = value;
            if (script.find('\0') != std::string::npos)
                return bad(form(nm("file '%s' contains non-valid utf-8"), value.c_str()));
        } else if (is_file) {
            return bad(form(nm("cannot read pac-script from file '%s'"), value.c_str()));
        }
    }
    if (script.find("FindProxyForURL") != std::string::npos && g_utf8_validate(script.c_str(), -1, nullptr))
        return script;
    return bad(origin.empty() ? nm("Not a valid PAC Script")
                              : form(nm("'%s' does not contain a valid PAC Script"), origin.c_str()));
}

Result<void> set_pac_script(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    const auto script = read_script(value);
    if (!script) return script.error();
    g_object_set(setting, row.name, script->c_str(), nullptr);
    return {};
}
} // namespace

const Kind uuid{.set = set_uuid, .get = get_text};
const Kind type{.set = set_type, .get = get_text};
const Kind permissions{.set = set_permissions, .get = get_permissions, .removes = true};
const Kind metered{.set = set_metered, .get = get_metered};
const Kind method{.set = set_method, .get = get_text};
const Kind gateway{.set = set_gateway, .get = get_text};
const Kind pac_script{.set = set_pac_script, .get = get_text};

} // namespace nmib::cli::kind
