// SPDX-License-Identifier: LGPL-2.1-or-later
/// connection show PROFILE...
#include "cli/daemon.hpp"
#include "cli/draft.hpp"
#include "cli/kinds.hpp"
#include "cli/table.hpp"
#include "cli/verbs.hpp"

#include <algorithm>
#include <cstring>

namespace nmib::cli
{

namespace
{
/// nmcli's order of settings in its output; only those of an InfiniBand profile.
constexpr const char *shown[] = {"connection", "match", "ipv4",  "ipv6",    "infiniband", "bond-port",
                                 "proxy",      "tc",    "sriov", "ethtool", "hostname"};

struct Field {
    const Group *group;
    const Row *row = nullptr; ///< null: all
};
using Fields = std::vector<Field>;

std::vector<Field> every_field()
{
    Fields all;
    for (const auto *name : shown) all.push_back({find_group(name)});
    return all;
}

bool same_word(const std::string &a, const char *b) { return g_ascii_strcasecmp(a.c_str(), b) == 0; }

Failure no_such_field(const Group &group, const std::string &field)
{
    Words allowed;
    for (const auto &r : group.rows) allowed.push_back(std::string(group.name) + "." + r.name);
    const auto list = "allowed fields: " + join(allowed, ",");
    return {exit_usage, form(nm("Error: 'connection show': %s"), form(nm("invalid field '%s%s%s%s%s'; %s%s%s"), "", "",
                                                                      field.c_str(), "", "", "", list.c_str(), "")
                                                                     .c_str())};
}

/// "infiniband.mtu,ipv4"; nothing for fields that are nmcli's.
std::variant<Fields, Failure> parse_fields(const std::optional<std::string> &text)
{
    if (!text || same_word(*text, "all") || same_word(*text, "common") || same_word(*text, "profile"))
        return every_field();
    Fields fields;
    if (text->empty()) return fields;
    if (text->front() == ',' || text->back() == ',' || text->find(",,") != std::string::npos) return to_nmcli();
    for (const auto &word : split(*text, ",")) {
        const auto dot = word.find('.');
        const auto name = word.substr(0, dot);
        const auto all = groups();
        const auto group =
            std::find_if(all.begin(), all.end(), [&](const Group *g) { return same_word(name, g->name); });
        if (group == all.end()) return to_nmcli();
        Field field{*group};
        if (dot != std::string::npos) {
            const auto rows = (*group)->rows;
            const auto row = std::find_if(rows.begin(), rows.end(),
                                          [&](const Row &r) { return same_word(word.substr(dot + 1), r.name); });
            if (row == rows.end()) return no_such_field(**group, word);
            field.row = &*row;
        }
        fields.push_back(field);
    }
    return fields;
}

bool hidden(const Row &row, NMSetting *setting)
{
    if (!row.hide_default) return false;
    const bool option = row.kind == &kind::feature || row.kind == &kind::ring;
    return option ? !nm_setting_option_get(setting, row.name) : kind::is_default(setting, row.name);
}

std::string show_setting(const Options &options, NMSetting *setting, const Field &field)
{
    const bool terse = options.print == Options::Print::terse;
    const auto style = terse ? Style::parsable : Style::pretty;
    std::vector<Cell> cells;
    if (!options.multiline.value_or(true) && !field.row) cells.push_back({"name", field.group->name});
    for (const auto &row : field.group->rows) {
        if ((field.row && field.row != &row) || hidden(row, setting)) continue;
        auto value = row.kind->get(row, setting, style);
        if (value.empty() && !terse) value = "--";
        cells.push_back({row.name, std::move(value)});
    }
    return table(options, field.group->name, cells);
}

std::string show_profile(const Options &options, NMConnection *connection, const Fields &fields)
{
    if (fields.empty()) return {};
    auto text =
        banner(options, std::string(nm("Connection profile details")) + " (" + nm_connection_get_id(connection) + ")");
    const bool apart = options.print != Options::Print::terse && !options.multiline.value_or(true);
    bool before = false;
    for (const auto &field : fields) {
        if (apart && before) text += "\n";
        auto *setting = nm_connection_get_setting_by_name(connection, field.group->name);
        before = setting;
        if (setting) text += show_setting(options, setting, field);
    }
    return text;
}

/// Only what our rows know is in it.
bool is_ours(NMConnection *connection)
{
    if (!nm_connection_is_type(connection, "infiniband")) return false;
    unsigned n = 0;
    const std::unique_ptr<NMSetting *, Freer<g_free>> settings(nm_connection_get_settings(connection, &n));
    return std::all_of(settings.get(), settings.get() + n, [](NMSetting *s) {
        return find_group(nm_setting_get_name(s)) || std::strcmp(nm_setting_get_name(s), "user") == 0;
    });
}

bool is_active(const Daemon &daemon, const std::string &profile)
{
    constexpr const char *manager = "/org/freedesktop/NetworkManager";
    const auto active = daemon.property(manager, "org.freedesktop.NetworkManager", "ActiveConnections");
    if (!active) return true;
    GVariantIter iter;
    const char *path = nullptr;
    g_variant_iter_init(&iter, active->get());
    while (g_variant_iter_next(&iter, "&o", &path)) {
        const auto of = daemon.property(path, "org.freedesktop.NetworkManager.Connection.Active", "Connection");
        if (of && profile == g_variant_get_string(of->get(), nullptr)) return true;
    }
    return false;
}

constexpr std::string_view selectors[] = {"id", "uuid", "path", "filename", "apath"};

/// A page of output, and why there is no more of it.
struct Shown {
    std::string text;
    std::optional<Failure> failure;
};

Shown show_all(Invocation &in, const Daemon &daemon, ProfileScan &scan, const Fields &fields)
{
    Shown page;
    bool first = true;
    const Profiles profiles(daemon, scan);
    while (!in.args.empty()) {
        std::string selector;
        if (std::find(std::begin(selectors), std::end(selectors), in.args.front()) != std::end(selectors)) {
            selector = in.args.take();
            if (in.args.empty()) {
                page.failure = Failure{exit_usage, form(nm("Error: %s argument is missing."), selector.c_str())};
                return page;
            }
        }
        const auto name = in.args.take();
        if (selector == "apath" || name.starts_with("/org/freedesktop/NetworkManager/ActiveConnection/"))
            return {{}, to_nmcli()};
        const auto found = profiles.find(selector, name);
        if (found.empty() && !daemon.running()) return {page.text, Daemon::not_running()};
        if (found.empty()) {
            page.failure = Failure{exit_not_found, form(nm("Error: %s - no such connection profile."), name.c_str())};
            return page;
        }
        for (const auto &k : found) {
            const auto connection = daemon.profile(k.path);
            if (!connection || !is_ours(connection->get())) return {{}, to_nmcli()};
            if (!in.options.fields && is_active(daemon, k.path)) return {{}, to_nmcli()};
            if (!first) page.text += "\n";
            first = false;
            page.text += show_profile(in.options, connection->get(), fields);
        }
        skip_options(in.args, in.options);
    }
    return page;
}
} // namespace

std::optional<Failure> show_connection(Invocation &in)
{
    if (in.args.empty()) return to_nmcli(); // a list
    ProfileScan scan;
    const auto connected = Daemon::connect();
    if (const auto *f = std::get_if<Failure>(&connected)) return *f;
    const auto fields = parse_fields(in.options.fields);
    const auto *mistake = std::get_if<Failure>(&fields);
    if (mistake && is_to_nmcli(*mistake)) return *mistake;
    auto page = show_all(in, std::get<Daemon>(connected), scan, mistake ? Fields{} : std::get<Fields>(fields));
    if (mistake && !page.failure) page = {{}, *mistake}; // a name that is not there is told first
    if (page.failure && is_to_nmcli(*page.failure)) return page.failure;
    std::fputs(page.text.c_str(), stdout);
    return page.failure;
}

} // namespace nmib::cli
