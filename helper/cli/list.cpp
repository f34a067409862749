// SPDX-License-Identifier: LGPL-2.1-or-later
/// Properties with several values: how a line of values becomes changes of a list.
#include "cli/base/gobject.hpp"
#include "cli/kinds.hpp"

#include <algorithm>

namespace nmib::cli::kind
{

namespace
{
constexpr const char *blanks_and_comma = " \t\n\r\f,";

/// "0,2": positions, highest first so that removing one does not move the next; nothing if it is no list of numbers.
std::optional<std::vector<std::size_t>> positions(const char *value)
{
    std::vector<std::size_t> all;
    for (const auto &word : split(value, blanks_and_comma)) {
        const auto n = to_number<std::int64_t>(word, 10, 0, G_MAXINT64);
        if (!n) return std::nullopt;
        all.push_back(static_cast<std::size_t>(*n));
    }
    if (all.empty()) return std::nullopt;
    std::sort(all.begin(), all.end(), std::greater<>());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

template<class Ops> bool remove_positions(const Ops &ops, NMSetting *setting, const char *value)
{
    if (!ops.remove_index) return false;
    const auto all = positions(value);
    if (!all) return false;
    const auto count = ops.count(setting);
    for (const auto i : *all)
        if (i < count) ops.remove_index(setting, i);
    return true;
}

void clear(const Row &row, NMSetting *setting, bool to_empty)
{
    if (row.list->clear)
        row.list->clear(setting, to_empty);
    else
        g_object_set(setting, row.name, nullptr, nullptr);
}

Result<void> set_list(const Row &row, NMSetting *setting, Op op, const char *value, const Surroundings &)
{
    const auto &ops = *row.list;
    if (!value) {
        clear(row, setting, false);
        return {};
    }
    if (op == Op::remove && remove_positions(ops, setting, value)) return {};
    const auto items = ops.escaped ? split_escaped(value, blanks_and_comma) : split(value, blanks_and_comma);
    if (ops.check)
        for (const auto &item : items)
            if (auto r = ops.check(item); !r) return r;
    if (op == Op::set || (ops.clear && ops.count(setting) == 0)) clear(row, setting, true);
    for (const auto &item : items) (op == Op::remove ? ops.remove_value : ops.add)(setting, item.c_str());
    return {};
}

std::string get_list(const Row &row, NMSetting *setting, Style style)
{
    char **raw = nullptr;
    g_object_get(setting, row.name, &raw, nullptr);
    const Strv items(raw);
    if (raw && *raw) return str(Text(g_strjoinv(",", raw)).get());
    if (!row.list || !row.list->clear || !nm_setting_ip_config_has_dns_options(NM_SETTING_IP_CONFIG(setting)))
        return {};
    return style == Style::pretty ? "\"\"" : " "; // set to nothing, which is not the same as not set
}

Result<void> set_objects(const Row &row, NMSetting *setting, Op op, const char *value, const Surroundings &)
{
    const auto &ops = *row.objects;
    if (!value) {
        ops.clear(setting);
        return {};
    }
    if (op == Op::remove && remove_positions(ops, setting, value)) return {};
    const auto items = ops.escaped ? split_escaped(value, ",") : split(value, ",");
    if (op == Op::set) ops.clear(setting);
    for (const auto &item : items)
        if (auto r = ops.put(setting, op != Op::remove, item); !r) return r;
    return {};
}

std::string get_objects(const Row &row, NMSetting *setting, Style style)
{
    Words all;
    for (std::size_t i = 0; i < row.objects->count(setting); i++) all.push_back(row.objects->text(setting, i, style));
    return join(all, style == Style::pretty ? row.objects->between_pretty : ", ");
}
} // namespace

const Kind list{.set = set_list, .get = get_list, .removes = true};
const Kind objects{.set = set_objects, .get = get_objects, .removes = true};

} // namespace nmib::cli::kind
