// SPDX-License-Identifier: LGPL-2.1-or-later
/// Properties that libnm's introspection describes: strings, booleans, numbers, enums.
#include "cli/base/gobject.hpp"
#include "cli/kinds.hpp"
#include "cli/newer.hpp"

#include <algorithm>
#include <cinttypes>
#include <limits>

namespace nmib::cli::kind
{

namespace
{
GParamSpec *spec(NMSetting *setting, const char *name)
{
    return g_object_class_find_property(G_OBJECT_GET_CLASS(setting), name);
}

std::int64_t get_integer(NMSetting *setting, const char *name)
{
    const auto *s = spec(setting, name);
    Value as_is(s->value_type), wide(G_TYPE_INT64);
    g_object_get_property(G_OBJECT(setting), name, as_is.get());
    if (G_IS_PARAM_SPEC_ENUM(s)) return g_value_get_enum(as_is.get());
    if (G_IS_PARAM_SPEC_FLAGS(s)) return g_value_get_flags(as_is.get());
    g_value_transform(as_is.get(), wide.get());
    return g_value_get_int64(wide.get());
}

/// False when the property cannot have this value.
bool set_integer(NMSetting *setting, const char *name, std::int64_t value)
{
    auto *s = spec(setting, name);
    Value v(s->value_type);
    switch (G_TYPE_FUNDAMENTAL(s->value_type)) {
    case G_TYPE_INT: g_value_set_int(v.get(), static_cast<int>(value)); break;
    case G_TYPE_UINT: g_value_set_uint(v.get(), static_cast<unsigned>(value)); break;
    case G_TYPE_INT64: g_value_set_int64(v.get(), value); break;
    case G_TYPE_UINT64: g_value_set_uint64(v.get(), static_cast<std::uint64_t>(value)); break;
    case G_TYPE_ENUM: g_value_set_enum(v.get(), static_cast<int>(value)); break;
    case G_TYPE_FLAGS: g_value_set_flags(v.get(), static_cast<unsigned>(value)); break;
    default: return false;
    }
    if (g_param_value_validate(s, v.get())) return false; // it had to be changed
    g_object_set_property(G_OBJECT(setting), name, v.get());
    return true;
}

Result<void> set_text(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    if (!row.choices.empty()) {
        const auto word = choose(value, row.choices);
        if (!word) return word.error();
        value = *word;
    }
    g_object_set(setting, row.name, value, nullptr);
    return {};
}

Result<void> set_boolean(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    const auto b = to_bool(value);
    if (!b) return b.error();
    g_object_set(setting, row.name, static_cast<gboolean>(*b), nullptr);
    return {};
}

std::string get_boolean(const Row &row, NMSetting *setting, Style style)
{
    gboolean b = FALSE;
    g_object_get(setting, row.name, &b, nullptr);
    const char *word = b ? "yes" : "no";
    return style == Style::pretty ? nm(word) : word;
}

Result<void> set_ternary(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    const auto t = to_ternary(value);
    if (!t) return t.error();
    g_object_set(setting, row.name, static_cast<int>(*t), nullptr);
    return {};
}

template<class Int> Result<std::int64_t> in_range(const char *value, unsigned base, Int min, Int max)
{
    const auto n = to_number<Int>(value, base, min, max);
    if (n) return static_cast<std::int64_t>(*n);
    if (n.error().kind != Error::Kind::refused) return bad(form(nm("'%s' is not a valid number"), value));
    if constexpr (std::is_unsigned_v<Int>)
        return bad(form(nm("'%s' is out of range [%" PRIu64 ", %" PRIu64 "]"), value, min, max));
    else
        return bad(form(nm("'%s' is out of range [%" PRId64 ", %" PRId64 "]"), value, min, max));
}

Result<std::int64_t> parse_number(GParamSpec *s, unsigned base, const char *value)
{
    if (const auto *p = G_IS_PARAM_SPEC_INT(s) ? G_PARAM_SPEC_INT(s) : nullptr)
        return in_range<std::int64_t>(value, base, p->minimum, p->maximum);
    if (const auto *p = G_IS_PARAM_SPEC_INT64(s) ? G_PARAM_SPEC_INT64(s) : nullptr)
        return in_range<std::int64_t>(value, base, p->minimum, p->maximum);
    const auto *p = G_PARAM_SPEC_UINT(s);
    return in_range<std::uint64_t>(value, base, p->minimum, p->maximum);
}

Result<void> set_number(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    for (const auto &n : row.nicks)
        if (strip(value) == n.nick) {
            set_integer(setting, row.name, n.value);
            return {};
        }
    const auto v = parse_number(spec(setting, row.name), row.base, value);
    if (!v) return v.error();
    set_integer(setting, row.name, *v);
    return {};
}

std::string get_number(const Row &row, NMSetting *setting, Style style)
{
    const auto value = get_integer(setting, row.name);
    auto text =
        row.base == 16 && value >= 0 ? form("0x%" PRIx64, static_cast<std::uint64_t>(value)) : std::to_string(value);
    if (style == Style::pretty)
        for (const auto &n : row.nicks)
            if (n.value == value) return text + " (" + n.nick + ")";
    return text;
}

Result<void> set_mtu(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    const bool automatic = std::string_view(value) == "auto";
    constexpr auto max = std::numeric_limits<std::uint32_t>::max();
    const auto n = to_number<std::int64_t>(automatic ? "0" : value, 10, 0, max);
    if (!n) return bad(form(nm("'%s' is out of range [0, %u]"), value, max));
    set_integer(setting, row.name, *n);
    return {};
}

std::string get_mtu(const Row &row, NMSetting *setting, Style style)
{
    const auto value = get_integer(setting, row.name);
    if (value == 0) return style == Style::pretty ? nm("auto") : "auto";
    return std::to_string(value);
}

GType enum_type(const Row &row, NMSetting *setting)
{
    if (row.enum_type) return row.enum_type();
    const auto type = spec(setting, row.name)->value_type;
    return G_TYPE_IS_CLASSED(type) ? type : nm_setting_get_enum_property_type(G_OBJECT_TYPE(setting), row.name);
}

bool is_flags(GType type) { return G_TYPE_FUNDAMENTAL(type) == G_TYPE_FLAGS; }

/// libnm knows the words of the type, the row a few more.
std::optional<std::int64_t> parse_enum(const Row &row, GType type, const std::string &value)
{
    std::int64_t result = 0;
    const auto words = is_flags(type) ? split(value, " \t,") : Words{strip(value)};
    for (const auto &word : words) {
        const auto nick =
            std::find_if(row.nicks.begin(), row.nicks.end(), [&](const Nick &n) { return word == n.nick; });
        int v = 0;
        if (nick != row.nicks.end())
            result |= nick->value;
        else if (nm_utils_enum_from_str(type, word.c_str(), &v, nullptr))
            result |= v;
        else
            return std::nullopt;
    }
    return result;
}

Result<void> set_enum(const Row &row, NMSetting *setting, Op op, const char *value, const Surroundings &)
{
    if (!value) {
        reset(setting, row.name);
        return {};
    }
    const auto type = enum_type(row, setting);
    auto v = parse_enum(row, type, value);
    if (v && is_flags(type) && op != Op::set) {
        const auto now = get_integer(setting, row.name);
        v = op == Op::remove ? now & ~*v : now | *v;
    }
    if (v && set_integer(setting, row.name, *v)) return {};
    const auto words = enum_words(type);
    return bad(is_flags(type) ? form(nm("invalid option '%s', use a combination of [%s]"), value, words.c_str())
                              : form(nm("invalid option '%s', use one of [%s]"), value, words.c_str()));
}

std::string get_enum(const Row &row, NMSetting *setting, Style style)
{
    const auto type = enum_type(row, setting);
    const auto value = get_integer(setting, row.name);
    auto number = is_flags(type) ? form("0x%" PRIx64, static_cast<std::uint64_t>(value)) : std::to_string(value);
    if (style == Style::parsable && !row.enum_text) return number;
    auto words = str(Text(nm_utils_enum_to_str(type, static_cast<int>(value))).get());
    for (const auto &n : row.shown)
        if (n.value == value) words = n.nick;
    if (row.enum_text || words == number) return words;
    return form(nm("%s (%s)"), number.c_str(), words.c_str());
}
} // namespace

std::string enum_words(GType enum_or_flags)
{
    const bool flags = is_flags(enum_or_flags);
    const std::unique_ptr<const char *, Freer<g_free>> all(
        nm_utils_enum_get_values(enum_or_flags, flags ? 0 : G_MININT, flags ? -1 : G_MAXINT));
    return str(Text(g_strjoinv(",", const_cast<char **>(all.get()))).get());
}

std::string get_text(const Row &row, NMSetting *setting, Style)
{
    Value v(G_TYPE_STRING);
    g_object_get_property(G_OBJECT(setting), row.name, v.get());
    return str(g_value_get_string(v.get()));
}

void reset(NMSetting *setting, const char *name)
{
    auto *s = spec(setting, name);
    Value v(s->value_type);
    g_param_value_set_default(s, v.get());
    g_object_set_property(G_OBJECT(setting), name, v.get());
}

bool is_default(NMSetting *setting, const char *name)
{
    auto *s = spec(setting, name);
    Value v(s->value_type);
    g_object_get_property(G_OBJECT(setting), name, v.get());
    return g_param_value_defaults(s, v.get());
}

const Kind readonly{.get = get_text};
const Kind readonly_boolean{.get = get_boolean};
const Kind text{.set = set_text, .get = get_text};
const Kind boolean{.set = set_boolean, .get = get_boolean};
const Kind ternary{.set = set_ternary, .get = get_enum};
const Kind number{.set = set_number, .get = get_number};
const Kind enumeration{.set = set_enum, .get = get_enum, .removes = true};
const Kind mtu{.set = set_mtu, .get = get_mtu};

} // namespace nmib::cli::kind
